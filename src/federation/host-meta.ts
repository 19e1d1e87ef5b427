// Finds the WebFinger address of a host (RFC 6415) when it is not the usual one: a bare domain whose server is on
// another one.

import type { App } from "../platform/app.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import { attribute, linkTags } from "./alternate.ts";
import { getPlain } from "./documents.ts";

const MAX_BYTES = 64 * 1024;
const ACCEPT = "application/xrd+xml, application/xml;q=0.9, text/xml;q=0.8";

const isLrdd = (tag: string): boolean =>
  attribute(tag, "rel").toLowerCase().split(/\s+/).includes("lrdd");

/** Returns the template of the JSON answers where there are several templates. */
const templateIn = (page: string): string | null => {
  const tags = [...linkTags(page)].filter(isLrdd);
  const tag = tags.find((link) => /json/i.test(attribute(link, "type"))) ?? tags[0];
  const template = tag ? attribute(tag, "template") : "";
  return template.includes("{uri}") ? template : null;
};

/** Returns WebFinger's address with `{uri}` for the resource; null where the host names none. Throws RemoteFault. */
export const fetchTemplate = async (
  app: App,
  origin: string,
  cause: Cause,
): Promise<string | null> => {
  const url = `${origin}/.well-known/host-meta`;
  const { body } = await getPlain(app, url, { accept: ACCEPT, maxBytes: MAX_BYTES, cause });
  return templateIn(body.toString("utf8"));
};
