// What the process that decodes pictures is asked, and what it answers.

/** One picture to make of the one given. */
export type PictureOutput = {
  /** Where it is written, without its ending. */
  path: string;
  /** No more pixels than so many, in the proportions of the original. */
  pixels?: number;
  /** This size exactly; what sticks out is cut off. */
  cover?: { width: number; height: number };
  /** The first picture of one that moves. */
  still?: boolean;
  /** Otherwise as the original, where browsers show that. */
  as?: "png" | "webp";
};

export type PictureTask = {
  path: string;
  /** For whom it is: pictures are decoded in turns, so that much of one delays nobody else. */
  by: string;
  /** More are refused before anything is decoded. */
  maxPixels: number;
  /** A moving picture has at most so many frames; further ones are left out. */
  maxFrames?: number;
  outputs: PictureOutput[];
  blurhash?: boolean;
  colours?: boolean;
};

export type PictureFile = { path: string; ending: string; width: number; height: number };

export type Colours = { background: string; foreground: string; accent: string };

export type PictureResult = {
  /** As it is shown: turned as its orientation says. */
  width: number;
  height: number;
  moves: boolean;
  files: PictureFile[];
  blurhash: string | null;
  colours: Colours | null;
};

/** `fault`: one sentence for whoever sent the file. `isSpent`: the process takes no other picture. */
export type Answer = { id: number; isSpent: boolean } & (
  | { result: PictureResult }
  | { fault: string }
);

export const byAccount = (accountId: string): string => `account ${accountId}`;
export const byHost = (url: string): string => `host ${new URL(url).host}`;
