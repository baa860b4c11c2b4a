/** The part of Eleventy that the build uses; the package has no types. */
declare module '@11ty/eleventy' {
  interface Configuration {
    addGlobalData(name: string, value: () => (data: { page: { filePathStem: string } }) => string): void;
  }
  interface Options {
    configPath: string | null;
    quietMode: boolean;
    config(configuration: Configuration): object;
  }
  export interface RenderedPage {
    inputPath: string;
    url: string;
    content: string;
  }
  export default class Eleventy {
    constructor(input: string, output: string, options: Options);
    toJSON(): Promise<RenderedPage[]>;
  }
}
