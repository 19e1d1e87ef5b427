// Fetches, shrinks and stores the picture of a card, which has none where it is not usable.

import type { App } from "../../../platform/app.ts";
import { DomainError } from "../../../platform/errors.ts";
import { storePictures } from "../../../platform/pictures/store.ts";
import { byHost } from "../../../platform/pictures/task.ts";
import { ask } from "./ask.ts";
import { PICTURE_LIMITS } from "./limits.ts";

type CardPicture = {
  image_key: string;
  blurhash: string | null;
  width: number;
  height: number;
};

const fetchPicture = async (app: App, url: string): Promise<Buffer | null> => {
  const answer = await ask(app, url, {
    headers: { accept: "image/*" },
    maxBytes: PICTURE_LIMITS.bytes,
  });
  return answer?.body ?? null;
};

export const storeCardPicture = async (app: App, url: string): Promise<CardPicture | null> => {
  try {
    const bytes = await fetchPicture(app, url);
    if (!bytes) return null;
    const { blurhash, stored } = await storePictures(app, "cards", bytes, {
      by: byHost(url),
      maxPixels: PICTURE_LIMITS.pixels,
      blurhash: true,
      outputs: [{ pixels: PICTURE_LIMITS.stored, still: true }],
    });
    const { key, width, height } = stored[0]!;
    return { image_key: key, blurhash, width, height };
  } catch (error) {
    // The picture's host or file is at fault.
    if (!(error instanceof DomainError)) throw error;
    app.log.debug({ why: error.message }, "the picture of a card was left out");
    return null;
  }
};
