// The quote in a remote object, and who may quote the object. Pure.
// FEP-044f and the contract's activitypub.json (quotes)

import { httpUrl, idOf, isRecord, listOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { parseRule } from "../../accounts/policy-bits.ts";
import type { Author } from "../../accounts/policy-bits.ts";
import { openToEverybody } from "../visibility.ts";
import type { VisibilityFacts } from "../visibility.ts";

export type ParsedQuote = {
  uri: string;
  /** By one of the members that older servers write. */
  legacy: boolean;
  approvalUri: string | null;
};

const MAX_NAMED = 100;
const LEGACY = ["quoteUri", "quoteUrl", "_misskey_quote"];

const QUOTE_RELATION = "https://misskey-hub.net/ns#_misskey_quote";
const MAX_TAGS = 1000;

/** FEP-e232: a Link among the tags (Hubzilla, Mitra). */
const objectLink = (note: Json): string | null => {
  const links = listOf(note["tag"], MAX_TAGS).filter(
    (item) => isRecord(item) && listOf(item["rel"], MAX_NAMED).includes(QUOTE_RELATION),
  ) as Json[];
  return httpUrl(links[0]?.["href"]);
};

/** Null when nothing is quoted. */
export const parseQuote = (note: Json): ParsedQuote | null => {
  const approvalUri = httpUrl(idOf(note["quoteAuthorization"]));
  const own = httpUrl(idOf(note["quote"]));
  const older =
    LEGACY.map((name) => httpUrl(note[name])).find((uri) => uri !== null) ?? objectLink(note);
  const uri = own ?? older;
  if (!uri || uri === note["id"]) return null;
  return { uri, legacy: own === null, approvalUri };
};

/** Who may quote it, as bits (accounts/policy-bits.ts); nobody where nothing is said. */
export const parsePolicy = (note: Json, author: Author, status: VisibilityFacts): number => {
  const policy = note["interactionPolicy"];
  if (!isRecord(policy) || !openToEverybody(status)) return 0;
  return parseRule(policy["canQuote"], author) ?? 0;
};
