// Where a host has its WebFinger (RFC 6415), when that is not at the usual address: a bare domain, whose server is on
// another one.

import type { App } from "../platform/app.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import { attribute, linkTags } from "./alternate.ts";
import { getPlain } from "./documents.ts";

const MAX_BYTES = 64 * 1024;
const ACCEPT = "application/xrd+xml, application/xml;q=0.9, text/xml;q=0.8";

const isLrdd = (tag: string): boolean =>
  attribute(tag, "rel").toLowerCase().split(/\s+/).includes("lrdd");

/** The template of the answers in JSON where there are several. */
const templateIn = (page: string): string | null => {
  const tags = [...linkTags(page)].filter(isLrdd);
  const tag = tags.find((link) => /json/i.test(attribute(link, "type"))) ?? tags[0];
  const template = tag ? attribute(tag, "template") : "";
  return template.includes("{uri}") ? template : null;
};

/** WebFinger's address with `{uri}` for what is asked about; null where the host names none. Throws RemoteFault. */
export const fetchTemplate = async (
  app: App,
  origin: string,
  cause: Cause,
): Promise<string | null> => {
  const url = `${origin}/.well-known/host-meta`;
  const { body } = await getPlain(app, url, { accept: ACCEPT, maxBytes: MAX_BYTES, cause });
  return templateIn(body.toString("utf8"));
};
