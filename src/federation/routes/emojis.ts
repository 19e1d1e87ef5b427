// Serves the document of a local emoji, whose address is the id of the tags in posts and profiles.

import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { orNotFound } from "../../platform/errors.ts";
import { parseId } from "../../platform/ids/index.ts";
import type { Server } from "../../platform/http/server.ts";
import { findEmojiById } from "../../domain/base/emojis/load.ts";
import { emojiTag, ownEmoji } from "../../domain/base/emojis/present.ts";
import { AS_CONTEXT } from "../../domain/people/accounts/activitypub.ts";
import { sendActivity } from "./answer.ts";

const CONTEXT = [AS_CONTEXT, { toot: "http://joinmastodon.org/ns#", Emoji: "toot:Emoji" }];

export const emojiDocumentRoutes = (server: Server, app: App): void => {
  server.get("/emojis/:id", async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const id = parseId(request.params.id);
    const row = orNotFound(id === null ? null : await findEmojiById(app, id));
    const { site } = app.config;
    const [tag] = emojiTag(ownEmoji(row, site), site);
    return sendActivity(reply, { "@context": CONTEXT, ...tag });
  });
};
