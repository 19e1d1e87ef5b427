// Messages to and from the process that decodes pictures.

/** One picture to make from the given one. */
export type PictureOutput = {
  /** Path of the output, without its extension. */
  path: string;
  /** Maximum pixels of the output, which keeps its proportions. */
  pixels?: number;
  /** Exact size of the output; what exceeds it is cut off. */
  cover?: { width: number; height: number };
  /** Takes the first frame of an animation. */
  still?: boolean;
  /** Format of the output; by default the original's, where browsers show that. */
  as?: "png" | "webp";
};

export type PictureTask = {
  path: string;
  /** Member or host that the picture is for: pictures are decoded in turns, so that many of one delay nobody else. */
  by: string;
  /** Pixels above which a picture is refused before it is decoded. */
  maxPixels: number;
  /** Frames of an animation; further ones are left out. */
  maxFrames?: number;
  outputs: PictureOutput[];
  blurhash?: boolean;
  colours?: boolean;
};

export type PictureFile = { path: string; ending: string; width: number; height: number };

export type Colours = { background: string; foreground: string; accent: string };

export type PictureResult = {
  /** Width as the picture is shown, rotated by its orientation. */
  width: number;
  height: number;
  moves: boolean;
  files: PictureFile[];
  blurhash: string | null;
  colours: Colours | null;
};

/** `fault` is one sentence for whoever sent the file. `isSpent`: the process takes no other picture. */
export type Answer = { id: number; isSpent: boolean } & (
  | { result: PictureResult }
  | { fault: string }
);

export const byAccount = (accountId: string): string => `account ${accountId}`;
export const byHost = (url: string): string => `host ${new URL(url).host}`;
