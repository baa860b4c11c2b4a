import type { ReleaseFacts } from './facts.ts';

/** The cask for a tap. */
export function homebrewCask({ version, homepage, description, file }: ReleaseFacts): string {
  const name = (arch: string) => `Roundtrip-${version}-mac-${arch}.dmg`;
  // Homebrew's audit rejects a leading article and the platform's name.
  const desc = description.replace(/^An? (?:desktop )?/, '').replace(/^./, (first) => first.toUpperCase());
  return `cask "roundtrip" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${file(name('arm64')).sha256}",
         intel: "${file(name('x64')).sha256}"

  url "${homepage}/releases/download/v#{version}/Roundtrip-#{version}-mac-#{arch}.dmg"
  name "Roundtrip"
  desc "${desc}"
  homepage "${homepage}"

  livecheck do
    url :url
    strategy :github_latest
  end

  auto_updates true

  app "Roundtrip.app"
  binary "#{appdir}/Roundtrip.app/Contents/Resources/bin/roundtrip"

  zap trash: [
    "~/Library/Application Support/Roundtrip",
    "~/Library/Preferences/dev.roundtrip.app.plist",
    "~/Library/Saved Application State/dev.roundtrip.app.savedState",
  ]
end
`;
}
