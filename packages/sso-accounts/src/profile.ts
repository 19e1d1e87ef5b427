// Takes over name and picture of somebody new, once.

import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  DomainError,
  FetchFailed,
  FetchRefused,
  UploadedFile,
  nullOn,
  updateProfile,
  uploadFolder,
} from "./uses.ts";
import type { App, OwnProfile } from "./uses.ts";

const MAX_PICTURE = 8 * 1024 * 1024;

const takePicture = async (app: App, accountId: string, url: string): Promise<void> => {
  const path = join(uploadFolder(app.config.dataDir), randomUUID());
  try {
    const { status } = await app.fetch.request(url, { maxBytes: MAX_PICTURE, toFile: path });
    if (status !== 200) return;
    const avatar = new UploadedFile("picture", "", path, (await stat(path)).size);
    await updateProfile(app, accountId, { avatar });
  } finally {
    await rm(path, { force: true });
  }
};

const isNoPicture = (error: unknown): boolean =>
  error instanceof FetchRefused || error instanceof FetchFailed || error instanceof DomainError;

/** Handles the job; an account is no worse for a name or picture that does not fit. */
export const takeProfile = async (
  app: App,
  { accountId, name, picture }: OwnProfile,
): Promise<void> => {
  const isUnfit = (error: unknown): boolean => error instanceof DomainError;
  if (name) await nullOn(isUnfit, updateProfile(app, accountId, { display_name: name }));
  if (picture) await nullOn(isNoPicture, takePicture(app, accountId, picture));
};
