// Every class of attack that this server has to survive, collected from public advisories of servers of its kind, and
// the tests that carry each out through the real routes and the real inbox. Fails where a test is not there (any more).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const HERE = "test/security/";
const INBOX = "src/federation/inbox/";
const FETCH = "src/platform/fetch/";
const MEDIA = "src/domain/base/media/";
const OAUTH = "src/domain/people/oauth/";
const PEOPLE = "src/domain/people/users/pages/";

/** A file, and the beginnings of titles in it as they are written there. */
type Covered = [file: string, ...titles: string[]];

const CASES: Record<string, Record<string, Covered[]>> = {
  "Identity and signatures": {
    "An activity whose signer is on host A and whose actor is on host B is refused before any side effect.":
      [[`${HERE}identity`, "An activity whose signer is on host A and whose actor is on host B"]],
    "A key document that names another owner, or whose owner does not name the key back, is refused.":
      [
        [`${HERE}identity`, "A key document that names another owner", "A key that is too small"],
        [`${INBOX}inbox-attacks`, "a key whose owner does not name it back is refused"],
      ],
    "A key document answered with another id than the one asked for is not cached under the asked one.":
      [[`${HERE}identity`, "A key document answered with another id"]],
    "A body changed after signing, a missing digest, a digest outside the signed headers: refused.":
      [[`${HERE}identity`, "A body changed after signing"]],
    "A signature that leaves out method, target or host; or is for another host; or is outside the time window: refused. The same activity again has no second effect.":
      [
        [`${HERE}identity`, "A signature that leaves out", "The same activity again"],
        [`${INBOX}inbox-attacks`, "attacks: refused, and nothing changed"],
      ],
    "An unreachable key server: 503, remembered for a short time, no storm of retries.": [
      [`${HERE}identity`, "An unreachable key server"],
      [`${INBOX}inbox-attacks`, "an unreachable key server: 503"],
    ],
    "WebFinger of another host cannot claim a handle here; handle and actor must confirm each other, over redirects too.":
      [[`${HERE}names`, "WebFinger of another host cannot claim a handle here"]],
    "IDN, case, trailing dot and port variants of a domain meet the same domain block.": [
      [`${HERE}names`, "IDN, case, trailing dot and port variants"],
      [`${HERE}blocked-domains`, "IDN, case, trailing dot and port variants"],
    ],
    "A remote document that claims an id of ours is refused.": [
      [`${HERE}names`, "A remote document that claims an id of ours"],
      [`${INBOX}inbox-attacks`, "Create with a local id"],
    ],
  },
  "Authority over objects": {
    "A fetched object must have the id of its final URL, or be fetched again from its own id; only the ActivityPub media types count, whatever the body looks like.":
      [[`${HERE}authority`, "A fetched object must have the id of its final URL"]],
    "An uploaded JSON or HTML file is never served with a type that a peer or a browser would take for a document of ours.":
      [
        [
          `${MEDIA}media`,
          "what is refused leaves nothing",
          "nothing after the end of a picture is stored",
        ],
        [`${MEDIA}remote/remote`, "what is no media is not passed on"],
      ],
    "Create with another `attributedTo` than the actor; Update, Delete, Undo, Remove, by another actor, also one on the same host: nothing changes.":
      [
        [`${HERE}authority`, "Create with another `attributedTo` than the actor"],
        [`${INBOX}inbox-attacks`, "Update, Delete, Undo, Remove by another on the same host"],
      ],
    "A forwarded activity without proof is fetched from its origin, not believed.": [
      [`${INBOX}inbox-attacks`, "forwarded by others", "a forged Create is not believed"],
      ["src/federation/linked-data/signature", "what others change"],
    ],
    "Accept of a follow that was never sent; a Move whose target does not list the old account; poll votes that are unknown, double or late: nothing happens.":
      [
        [`${HERE}authority`, "Accept of a follow that was never sent"],
        [`${INBOX}polls`, "what does not count: twice", "one that is closed takes no votes"],
      ],
    "`javascript:`, `data:` and other schemes in url, icon, attachment, profile field, card: dropped.":
      [
        [`${HERE}authority`, "`javascript:`, `data:` and other schemes"],
        ["src/domain/posts/cards/read-page", "addresses that are none are left out"],
      ],
  },
  "Outbound requests": {
    "One guarded client for every outbound request: a table test of refused targets, unless `ALLOWED_PRIVATE_ADDRESSES` lists them.":
      [
        [`${HERE}outbound`, "One guarded client for every outbound request"],
        [`${FETCH}addresses`, "${kind} addresses are refused", "listed addresses and ranges"],
        ["src/domain/posts/cards/cards", "private addresses are never asked"],
      ],
    "The address that was checked is the one connected to (DNS rebinding); one bad address among several refuses all; user info, decimal and octal hosts are refused.":
      [
        [`${HERE}outbound`, "The address that was checked is the one connected to"],
        [`${FETCH}fetch`, "names are refused by their addresses; one bad among several"],
        [`${FETCH}target`, "refused (${reason})", "refused: the host ${host}"],
      ],
    "Bodies over the cap are cut while reading; a slow drip ends at the total time limit.": [
      [`${HERE}outbound`, "Bodies over the cap are cut while reading"],
    ],
    "Collections with endless pages, self-links, too many items, mentions, tags, attachments: a budget stops them.":
      [[`${HERE}outbound`, "Collections with endless pages"]],
    "Deep reply and quote chains do not recurse; deeply nested JSON or HTML neither overflows nor throws out of the sanitiser.":
      [
        [`${HERE}outbound`, "Deep reply and quote chains do not recurse"],
        [`${HERE}content`, "Hostile JSON of remote servers is stored as far as possible"],
      ],
    "Regular expressions on remote input are bounded (links, usernames, previews).": [
      [`${HERE}outbound`, "Regular expressions on remote input are bounded"],
      ["src/domain/posts/cards/read-page", "hostile pages are read within a bounded time"],
    ],
  },
  Content: {
    "The sanitiser's allowlist holds for posts, bios, names, fields, warnings, poll options, translations, cards and instance texts.":
      [
        [`${HERE}content`, "The sanitiser's allowlist holds for posts"],
        ["src/domain/posts/translation/translation", "HTML from the service is sanitised"],
        ["src/domain/posts/cards/cards", "what is no page, and hostile pages"],
        ["src/domain/about/instance/texts", "texts and names of an administrator"],
      ],
    "A shortened link's text cannot hide its real host.": [
      [`${HERE}content`, "A shortened link's text cannot hide its real host."],
    ],
    "Emoji shortcodes and file names are limited; no path leaves its folder.": [
      [`${HERE}content`, "Emoji shortcodes and file names are limited"],
    ],
    "The media decoder has time, memory and pixel limits; SVG, polyglots, GPS data in EXIF are dealt with.":
      [
        [`${MEDIA}media`, "what is refused leaves nothing", "lose where, when and by whom"],
        [`${MEDIA}media`, "half a video is refused"],
      ],
    "Titles are escaped in HTML heads, feeds, mails and OpenGraph.": [
      [`${HERE}content`, "Titles are escaped in HTML heads, feeds, mails and OpenGraph."],
      ["src/pages/pages", "a profile: names, bio, fields and counts, escaped"],
    ],
  },
  "API, OAuth, authorisation": {
    "A matrix: every endpoint with no token, with every wrong scope, with the right one; streaming and admin scopes too; authorisation comes before costly work.":
      [
        [`${HERE}api`, "A matrix: every endpoint with no token"],
        ["src/domain/staff/moderation/permissions", "block a server"],
      ],
    "Every endpoint that takes an id, called with another user's id.": [
      [`${HERE}api`, "Every endpoint that takes an id", "every route with an id is known here"],
    ],
    "A private status answers exactly like a missing one, with every verb.": [
      [`${HERE}private`, "A private status answers exactly like a missing one"],
    ],
    "Revoking a token or app, changing a password (by the CLI too), suspending, disabling: HTTP is refused and open streams are closed.":
      [
        [`${HERE}api`, "Revoking a token or app, changing a password, suspending, disabling"],
        ["test/journeys/processes", "a password that the command line resets ends tokens"],
        [`${PEOPLE}settings`, "apps are listed with their scopes; revoking ends all their tokens"],
      ],
    "redirect_uri must match exactly; a code works once, for its client only; PKCE plain is refused; `urn:ietf:wg:oauth:2.0:oob` works.":
      [
        [
          `${OAUTH}oauth`,
          "faults are pages, and never lead to the address",
          "a code works once",
          "a code is for its client and its address",
          "out of band: the code is shown to its owner alone",
          "a code with PKCE wants its verifier",
        ],
      ],
    "Login, password, mail, sign-up: limits per account, per mail address and per IP; a TOTP code and a recovery code work once.":
      [
        [
          `${PEOPLE}pages`,
          "limits per login and per address",
          "five accounts from one address in half an hour",
        ],
        [
          `${PEOPLE}settings`,
          "five mails to an address in half an hour",
          "the present one may be guessed ten times",
        ],
        [`${PEOPLE}two-factor`, "a code works once", "a recovery code works once"],
        ["test/hardening/accounts", "from one address are counted"],
      ],
    "Unconfirmed, unapproved and suspended users get nothing that wants a login.": [
      [`${HERE}api`, "A matrix: every endpoint with no token"],
      [`${PEOPLE}pages`, "people who may not act get a page"],
    ],
    "After a domain or an account is blocked or suspended nothing of it leaks in: posts, boosts of old posts, notifications, quotes, media, search, trends.":
      [
        [`${HERE}private`, "After an account is suspended nothing of it leaks in"],
        [`${HERE}leaks`, "${act}: nothing of it is seen"],
        [`${HERE}blocked-domains`, "IDN, case, trailing dot and port variants"],
        [
          `${MEDIA}remote/remote`,
          "of a server whose media are rejected nothing is fetched or shown",
        ],
      ],
    "Remote text never reaches SQL by concatenation (inbox URL, tag, sort keys).": [
      [`${HERE}input`, "Remote text never reaches SQL by concatenation"],
    ],
  },
};

const ROOT = new URL("../../", import.meta.url);

/** Whether the source has a test or a group of tests whose title begins so, here or as a member of a table. */
const hasTitle = (source: string, title: string): boolean =>
  ['"', "`", "'"].some((quote) =>
    ["(", "[", "\n    ", "\n  "].some((before) => source.includes(before + quote + title)),
  );

for (const [part, cases] of Object.entries(CASES)) {
  test(`${part}: each case has its tests`, () => {
    const missing = Object.entries(cases).flatMap(([name, covered]) => {
      assert.ok(covered.length > 0, name);
      return covered.flatMap(([file, ...titles]) => {
        const source = readFileSync(new URL(`${file}.test.ts`, ROOT), "utf8");
        return titles.filter((title) => !hasTitle(source, title)).map((title) => [file, title]);
      });
    });
    assert.deepEqual(missing, []);
  });
}

test("there are no fewer cases than were collected", () => {
  const counts = Object.values(CASES).map((cases) => Object.keys(cases).length);
  assert.deepEqual(counts, [9, 6, 6, 5, 9]);
});
