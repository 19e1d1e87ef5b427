// Imports the profile, its pictures and the settings in an archive of this software (settings.json), which replace
// those here where the person wants that. Each goes through the commands that pages and the API use.

import { readFile, stat } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../../platform/app.ts";
import { isRefusal, Unprocessable } from "../../../../platform/errors.ts";
import { UploadedFile } from "../../../../platform/http/uploaded-file.ts";
import { compileValidator } from "../../../../platform/http/validate.ts";
import { isRecord, listOf, parseRecord, textOf } from "../../../../platform/json/read.ts";
import type { Json } from "../../../../platform/json/read.ts";
import { ProfileBody } from "../../../people/accounts/schema.ts";
import type { ProfileInput } from "../../../people/accounts/schema.ts";
import { updateProfile } from "../../../people/accounts/update-profile.ts";
import { featureTag } from "../../../posts/tags/feature-tag.ts";
import { MAX_FEATURED_TAGS, parseTypedTag } from "../../../posts/tags/rules.ts";
import "../enqueue.ts";
import { ACTOR_BYTES } from "./limits.ts";

/** Names under which the pictures are stored beside the documents; their types are detected anyway. */
export const PICTURES = ["avatar", "header"] as const;

/** Returns where a file of the archive is stored that is one of these pictures; null for any other. */
export const pictureName = (path: string): string | null => {
  const [, name] = /^(?:\.\/)?(avatar|header)\.\w{1,10}$/.exec(path) ?? [];
  return name === undefined ? null : `picture-${name}`;
};

const pictureIn = async (folder: string, which: string): Promise<UploadedFile | undefined> => {
  const path = join(folder, `picture-${which}`);
  if (!existsSync(path)) return undefined;
  const file = new UploadedFile(which, "", path, (await stat(path)).size);
  // It is removed together with the others.
  file.isKept = true;
  return file;
};

const recordIn = async (path: string | null): Promise<Json> => {
  if (path === null || (await stat(path)).size > ACTOR_BYTES) return {};
  return parseRecord(await readFile(path, "utf8")) ?? {};
};

const part = (json: Json, name: string): Json => (isRecord(json[name]) ? json[name] : {});

/** Only the actor's document has the descriptions of the pictures. */
const described = (actor: Json) => ({
  avatar_description: textOf(part(actor, "icon")["name"]) ?? "",
  header_description: textOf(part(actor, "image")["name"]) ?? "",
});

const PROFILE = [
  "display_name",
  "note",
  "locked",
  "discoverable",
  "indexable",
  "hide_collections",
  "show_media",
  "show_media_replies",
  "show_featured",
  "attribution_domains",
] as const;

const picked = (json: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.flatMap((name) => (name in json ? [[name, json[name]]] : [])));

const validate = compileValidator({ schema: ProfileBody });

/** Returns the profile as clients send it, so that it is checked as strictly. */
const profileInput = (settings: Json, actor: Json): ProfileInput => {
  const profile = part(settings, "profile");
  const preferences = part(settings, "preferences");
  const { mails: _mails, ...reading } = preferences;
  const result = validate({
    ...picked(profile, PROFILE),
    ...described(actor),
    bot: ["Service", "Application"].includes(textOf(profile["actor_type"]) ?? ""),
    fields_attributes: listOf(profile["fields"]),
    source: { ...reading, ...picked(settings, ["locale", "time_zone"]) },
  });
  if (result.error) throw result.error;
  return result.value as ProfileInput;
};

const entries = (json: Json, isRight: (value: unknown) => boolean) =>
  Object.entries(json)
    .filter(([, value]) => isRight(value))
    .slice(0, 100);

/** Enqueues what higher slices set: the notification policy, and mails. */
const enqueueForOthers = (app: App, accountId: string, settings: Json): Promise<void> => {
  const isWord = (value: unknown) => typeof value === "string" && value.length < 20;
  const policy = entries(part(settings, "notification_policy"), isWord);
  const mails = entries(
    part(part(settings, "preferences"), "mails"),
    (value) => typeof value === "boolean",
  );
  return app.jobs.add(app.sql, "settings.imported", {
    accountId,
    policy: Object.fromEntries(policy) as Record<string, string>,
    mails: Object.fromEntries(mails) as Record<string, boolean>,
  });
};

/** Features as many as there is room for beside existing ones. */
const featureTags = async (app: App, accountId: string, settings: Json): Promise<void> => {
  for (const name of listOf(settings["featured_tags"], MAX_FEATURED_TAGS)) {
    const tag = typeof name === "string" ? parseTypedTag(name) : null;
    if (!tag) continue;
    try {
      await featureTag(app, accountId, tag);
    } catch (error) {
      if (isRefusal(error)) return;
      throw error;
    }
  }
};

export type SettingsFiles = { folder: string; settings: string; actor: string | null };

/** Returns false where the files are not as this software writes them. A repetition does no harm. */
export const applySettings = async (
  app: App,
  accountId: string,
  { folder, ...files }: SettingsFiles,
): Promise<boolean> => {
  const [settings, actor] = [await recordIn(files.settings), await recordIn(files.actor)];
  try {
    if (!isRecord(settings["profile"])) throw new Unprocessable("There is no profile.");
    const input = profileInput(settings, actor);
    const [avatar, header] = await Promise.all(PICTURES.map((which) => pictureIn(folder, which)));
    await updateProfile(app, accountId, {
      ...input,
      ...(avatar && { avatar }),
      ...(header && { header }),
    });
    await featureTags(app, accountId, settings);
    await enqueueForOthers(app, accountId, settings);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    app.log.info({ err: error }, "settings of an archive could not be imported");
    return false;
  }
};
