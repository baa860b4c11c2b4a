import zlib from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(zlib.crc32(body), body.length + 4);
  return framed;
}

/** A PNG (RFC 2083) of a disc on a soft background; `seed` determines its colours. */
export function picture(width: number, height: number, seed: number): Buffer {
  const pixels = Buffer.alloc((width * 3 + 1) * height);
  const hue = (seed * 47) % 360;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width * (0.36 + (seed % 5) * 0.06), y - height * 0.52];
      const inside = Math.hypot(dx, dy) < height * (0.24 + (seed % 3) * 0.05);
      const light = inside ? 0.42 + 0.3 * (1 - y / height) : 0.82 + 0.12 * (x / width) - 0.06 * (y / height);
      const rgb = fromHue(hue + (inside ? 0 : 24), inside ? 0.55 : 0.22, light);
      pixels.set(rgb, y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = zlib.deflateSync(pixels, { level: 1 });
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function fromHue(hue: number, saturation: number, light: number): [number, number, number] {
  const at = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    const part = light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(part * 255);
  };
  return [at(0), at(8), at(4)];
}
