// The settings that an administrator may read and write by name, with the text of each value.

import { Unprocessable } from "../../platform/errors.ts";
import type { Settings } from "./settings.ts";

/** The settings that an administrator reads and writes; keys and tokens are not among them. */
export type PublicName = Exclude<keyof Settings, "owner_setup" | "instance_actor_keys">;

type Definition = {
  help: string;
  /** The value that the text stands for; throws a sentence without a subject ("must be …"). */
  parse(text: string, now: Date): unknown;
  /** The value as a person would write it. */
  show(value: unknown): string;
};

const MAX_LINE = 1000;
const MAX_TEXT = 100_000;

const line = (help: string): Definition => ({
  help,
  parse(text) {
    if (text.length > MAX_LINE) throw new Unprocessable(`has at most ${MAX_LINE} characters`);
    return text.replaceAll(/\s+/g, " ").trim();
  },
  show: String,
});

const webAddress = (help: string): Definition => ({
  ...line(help),
  parse(text) {
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text) || text.length > MAX_LINE) {
      throw new Unprocessable("is an address that begins with https://");
    }
    return text;
  },
});

const words = (help: string, allowed: string[]): Definition => ({
  help: `${help} (${allowed.join(", ")})`,
  parse(text) {
    if (!allowed.includes(text)) throw new Unprocessable(`is one of ${allowed.join(", ")}`);
    return text;
  },
  show: String,
});

const flag = (help: string): Definition => ({
  help: `${help} (true, false)`,
  parse(text) {
    if (text !== "true" && text !== "false") throw new Unprocessable("is true or false");
    return text === "true";
  },
  show: String,
});

/** A text with the time of its last change. */
const dated = (help: string): Definition => ({
  help: `${help} (plain text or HTML)`,
  parse(text, now) {
    if (text.length > MAX_TEXT) throw new Unprocessable(`has at most ${MAX_TEXT} characters`);
    return { text, updated_at: now.toISOString() };
  },
  show: (value) => (value as { text: string }).text,
});

const SEEN_BY = ["disabled", "users", "all"];

export const DEFINITIONS: Partial<Record<PublicName, Definition>> = {
  registrations: words("Who may sign up", ["open", "approved", "closed"]),
  registrations_message: line("Shown where nobody may sign up"),
  title: line("The name of the server"),
  description: line("The server in a sentence or two"),
  extended_description: dated("The page about the server"),
  privacy_policy: dated("The privacy policy, in place of the one that comes with the software"),
  contact_email: line("The address to write to"),
  contact_account: line("Whom to write to: a name on this server; otherwise its owner"),
  status_page_url: webAddress("A page that tells whether the server is up"),
  thumbnail_url: webAddress("The banner: a picture of the server"),
  thumbnail_description: line("What the banner shows"),
  show_domain_blocks: words("Who may read the list of blocked servers", SEEN_BY),
  show_domain_blocks_rationale: words("Who may read why they are blocked", SEEN_BY),
  peers_api: flag("Whether the names of the servers that we know are told"),
  activity_api: flag("Whether it is told how much goes on here by week"),
  languages_by_locale: flag(
    "Whether public timelines show the reader's language where none is chosen",
  ),
  trends: flag("Whether what is much used just now is shown"),
  trendable_by_default: flag(
    "Whether posts, hashtags and links trend that no moderator has reviewed",
  ),
  trends_as_landing_page: flag("Whether the front page shows trending posts instead of the newest"),
  profile_directory: flag("Whether those who want to be found are listed for everybody"),
};

/** Throws a sentence that lists the names there are, for the command line. */
export const definitionOf = (name: string): Definition => {
  const found = Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name as PublicName] : undefined;
  if (!found) {
    throw new Unprocessable(
      `There is no setting "${name}". There are: ${Object.keys(DEFINITIONS).join(", ")}.`,
    );
  }
  return found;
};
