// Lists where our answers differ from the recording, each with its reason. The lists can only shrink: a listed step or
// member that agrees makes the test fail.

/** Missing features by step. */
export const NOT_YET: Record<string, string> = {};

/** What is posted instead of posts that need a missing feature, so that later timelines agree. */
export const STAND_INS: Record<string, { status: string; lacks: string[] }> = {};

type Parts = Record<string, { at: string; why: string }[]>;

/** Parts of answers that differ because of a missing feature, by step. */
export const NOT_YET_PARTS: Parts = {};

const REMOVAL = "recorded while a job still took the reblog back; status/unreblog has 0 already";
const OTHER_LIST = "without the further tags the next page would be one of another list";
const APP_ID = "the token of the replay is of no app";
const A_WORD = "null there, which several apps cannot read: it is always a word";
const WRITTEN = "a tag is shown as it was first written: there in a bio, here in a post";
const OWN_ACTOR = "a name and a page of our own";

/** Parts of answers that should differ, because of the contract or of the recording, by step. */
export const RIGHTLY_OTHER: Parts = {
  "account/update-long": [
    { at: "body.details.display_name[0].description", why: "40 characters since Mastodon 4.6" },
  ],
  "instance/domain-blocks": [
    { at: "content-type", why: "the contract has every error of the API as JSON" },
    { at: "body", why: "the contract has every error of the API as JSON" },
  ],
  "account/suggestions": [
    { at: "body", why: "recorded on a new server, whose nightly list of the most followed was empty" },
  ],
  "status/scheduled": [
    { at: "body.params.application_id", why: APP_ID },
    { at: "body.params.visibility", why: A_WORD },
  ],
  "status/scheduled-list": [
    { at: "body[0].params.application_id", why: APP_ID },
    { at: "body[0].params.visibility", why: A_WORD },
  ],
  "status/scheduled-get": [
    { at: "body.params.application_id", why: APP_ID },
    { at: "body.params.visibility", why: A_WORD },
  ],
  "status/scheduled-put": [
    { at: "body.params.application_id", why: APP_ID },
    { at: "body.params.visibility", why: A_WORD },
  ],
  "status/bookmark": [{ at: "body.reblogs_count", why: REMOVAL }],
  "status/bookmarks": [{ at: "body[0].reblogs_count", why: REMOVAL }],
  "timeline/tag-any": [
    { at: "link.next.any[]", why: OTHER_LIST },
    { at: "link.prev.any[]", why: OTHER_LIST },
  ],
  "tag/get": [{ at: "body.name", why: WRITTEN }],
  "tag/follow": [{ at: "body.name", why: WRITTEN }],
  "tag/followed": [{ at: "body[0].name", why: WRITTEN }],
  "tag/unfollow": [{ at: "body.name", why: WRITTEN }],
  "timeline/direct": [{ at: "status", why: "gone there, in the contract it answers" }],
  "activitypub/instance-actor": [
    { at: "body.preferredUsername", why: OWN_ACTOR },
    { at: "body.url", why: OWN_ACTOR },
  ],
};

/** Actions that are not in the recording, but show in later answers, by the step that follows them. */
export const UNRECORDED: Record<string, { who: "alice" | "bob"; method: string; path: string }[]> =
  {
    // The reply was deleted, and the follower left.
    "activitypub/actor": [
      { who: "alice", method: "DELETE", path: "/api/v1/statuses/117652671954690116" },
      { who: "bob", method: "POST", path: "/api/v1/accounts/117652670761392801/unfollow" },
    ],
  };

/** Steps whose answers are lists without a defined order. */
export const UNORDERED = new Set(["account/several"]);
