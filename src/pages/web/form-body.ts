// Encodes a form with files as it is sent on to the API.

import { openAsBlob } from "node:fs";
import { textOf } from "../../platform/http/inside.ts";
import type { InnerAnswer, InnerRequest } from "../../platform/http/inside.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";

type Values = Record<string, unknown>;

/** Turns `{a: {b: "1"}, c: ["2"]}` into `a[b]=1`, `c[]=2`. */
const append = async (form: FormData, name: string, value: unknown): Promise<void> => {
  if (value instanceof UploadedFile) {
    const type = value.claimedType;
    form.append(name, await openAsBlob(value.path, { type }), value.filename);
  } else if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    for (const each of value) form.append(`${name}[]`, each);
  } else if (value !== null && typeof value === "object") {
    for (const [key, each] of Object.entries(value)) await append(form, `${name}[${key}]`, each);
  } else {
    form.append(name, String(value ?? ""));
  }
};

/** Levels of names such as `a[b][c]`: no form has more, and deeper values are nobody's inputs. */
const MAX_DEPTH = 5;

/** Returns the inputs of a form by their names, with what each had; files cannot be entered again. */
export const inputsOf = (values: object): Record<string, string[]> => {
  const inputs: Record<string, string[]> = {};
  const add = (name: string, value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
      for (const each of [name, `${name}[]`]) (inputs[each] ??= []).push(...value);
    } else if (value !== null && typeof value === "object" && !(value instanceof UploadedFile)) {
      for (const [key, each] of Object.entries(value)) add(`${name}[${key}]`, each, depth + 1);
    } else {
      (inputs[name] ??= []).push(value instanceof UploadedFile ? "" : String(value ?? ""));
    }
  };
  for (const [name, value] of Object.entries(values)) add(name, value, 1);
  return inputs;
};

type SentOn = { body: object } | { body: Buffer; type: string };

/** Encodes as JSON, unless there are files. */
export const sendable = async (values: Values): Promise<SentOn> => {
  if (!Object.values(values).some((value) => value instanceof UploadedFile))
    return { body: values };
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) await append(form, name, value);
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type")!;
  return { body: Buffer.from(await encoded.arrayBuffer()), type };
};

/** Returns the names of the form's files. */
export const filesIn = (form: Values): string[] =>
  Object.keys(form).filter((name) => form[name] instanceof UploadedFile);

type Ask = (input: Omit<InnerRequest, "ip">) => Promise<InnerAnswer>;

/**
 * Uploads the files of a post (`file_1`, described by `description_1`), and puts their ids in their place, so that what
 * is refused afterwards keeps them. Returns the answer that refuses one.
 */
export const uploadFiles = async (ask: Ask, form: Values): Promise<InnerAnswer | null> => {
  for (const name of filesIn(form)) {
    const described = name.replace("file", "description");
    const sent = await sendable({ file: form[name], description: form[described] });
    const answer = await ask({ method: "POST", url: "/api/v1/media", ...sent });
    if (answer.status >= 400) return answer;
    form["media_ids"] = [form["media_ids"] ?? [], JSON.parse(textOf(answer)).id].flat();
    delete form[name];
    delete form[described];
  }
  return null;
};
