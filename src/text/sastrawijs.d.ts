declare module "sastrawijs" {
  /** The package's own typings are not reachable through its `exports`. */
  export class Stemmer {
    stem(word: string): string;
    find(word: string): boolean;
  }
}
