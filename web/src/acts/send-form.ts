// Sends a form whose address is in the API (elements/send-form.tsx), and shows what it changes.

import type { Status } from "../api/entities.ts";
import { dropStatus, keepDomainBlock, keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import type { Doing } from "./acts.ts";
import { actOnAccount } from "./relate.ts";

type Fields = Record<string, string | string[]>;

/** Returns the path that the form is sent to. */
export const actionOf = (form: HTMLFormElement, submitter: HTMLElement | null = null): string =>
  new URL(submitter?.getAttribute("formaction") ?? form.action, location.href).pathname;

/** Returns the form's address below /web/act/: `accounts/1/mute`. */
export const pathOf = (form: HTMLFormElement, submitter: HTMLElement | null = null): string =>
  actionOf(form, submitter).slice("/web/act/".length);

const OF_THE_PAGE = new Set(["form_token", "back", "from", "done"]);

/** Returns the fields: `ids[]` is a list; of other fields with the same name the last counts. */
export const fieldsOf = (form: HTMLFormElement, submitter: HTMLElement | null = null): Fields => {
  const fields: Fields = {};
  for (const [name, value] of new FormData(form, submitter)) {
    if (OF_THE_PAGE.has(name) || typeof value !== "string") continue;
    const list = name.endsWith("[]") && name.slice(0, -2);
    if (list) fields[list] = [...(fields[list] ?? []), value];
    else fields[name] = value;
  }
  return fields;
};

const showOutcome = (store: Store, path: string, body: unknown): void => {
  const [kind, id = "", act] = path.split("/");
  if (kind === "statuses" && act === "delete") dropStatus(store, id);
  if (kind === "statuses" && act === "interaction_policy") keepStatus(store, body as Status);
};

const methodOf = (path: string): string => {
  if (path.endsWith("/delete")) return "DELETE";
  return path.endsWith("/interaction_policy") ? "PUT" : "POST";
};

/** Throws ApiError; the form stays as it is. */
export const sendForm = async (
  doing: Doing,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<void> => {
  const path = pathOf(form);
  const fields = fieldsOf(form, submitter);
  const [, id, act] = /^accounts\/(\d+)\/(\w+)$/.exec(path) ?? [];
  if (id && act) return actOnAccount(doing, act, id, fields);
  const { store } = doing;
  const isDomain = path === "domain_blocks";
  // The stream withdraws posts from home before the answer arrives.
  if (isDomain) keepDomainBlock(store, String(fields["domain"]), true);
  const version = path.startsWith("filters/") ? "v2" : "v1";
  try {
    const address = `/api/${version}/${path.replace(/\/delete$/, "")}`;
    showOutcome(store, path, (await doing.send(methodOf(path), address, { body: fields })).body);
  } catch (error) {
    if (isDomain) keepDomainBlock(store, String(fields["domain"]), false);
    throw error;
  }
};
