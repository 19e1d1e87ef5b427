// Questions of a drill about a post: whether it is as it was written, and about its conversation.

import { EVENT_LINE } from "../uses.ts";
import { ask } from "./ask.ts";
import { differences, refusal } from "./question.ts";
import type { Question, Tokens } from "./question.ts";
import { selectAnswers } from "./queries.ts";
import type { Post } from "./queries.ts";
import type { ThrowAway } from "./throw-away.ts";

/** What the server writes above the text of an event, which the database has in other columns. */
const HEAD = new RegExp(`^(?:<p class="${EVENT_LINE}">.*?</p>)+`);

/** Returns the text of an answer as it is stored. */
const textIn = ({ content, event }: { content: string; event?: unknown }): string =>
  event ? content.replace(HEAD, "") : content;

const post = (server: ThrowAway, tokens: Tokens, stored: Post): Question => {
  const path = `/api/v1/statuses/${stored.id}`;
  return {
    about: path,
    async judge() {
      const reply = await ask(server, path, { token: await tokens(stored.user_id) });
      const { json } = reply;
      return (
        refusal(reply) ??
        differences([
          ["The address", json.uri, stored.uri],
          ["The author", json.account?.id, stored.account_id],
          ["The text", textIn(json), stored.content],
          ["The warning", json.spoiler_text, stored.spoiler_text],
        ])
      );
    },
  };
};

const context = (server: ThrowAway, tokens: Tokens, stored: Post): Question => {
  const path = `/api/v1/statuses/${stored.id}/context`;
  return {
    about: path,
    async judge() {
      const reply = await ask(server, path, { token: await tokens(stored.user_id) });
      const refused = refusal(reply);
      if (refused !== null) return refused;
      const below = (reply.json.descendants as { id: string }[]).map(({ id }) => id);
      const { all, own, isWhole } = await selectAnswers(server.app.sql, stored);
      if (!isWhole) return null;
      const stranger = below.find((id) => !all.has(id));
      if (stranger !== undefined) return `${stranger} is no answer by the database.`;
      const lost = own.find((id) => !below.includes(id));
      return lost === undefined ? null : `${lost}, an answer by the same person, is missing.`;
    },
  };
};

export const aboutPost = (server: ThrowAway, tokens: Tokens, stored: Post): Question[] => [
  post(server, tokens, stored),
  context(server, tokens, stored),
];
