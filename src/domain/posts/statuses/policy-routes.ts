// Serves who may act on a person's new posts, as GoToSocial's apps read and change it: for each visibility, though here
// it is one choice for all of them, and only who may reply can be chosen.
// https://docs.gotosocial.org/en/latest/api/swagger/ (interaction_policies)

import type { App } from "../../../platform/app.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { PRIVACIES } from "../../people/accounts/schema.ts";
import type { ReplyPolicy } from "../../people/accounts/tables.ts";
import { updateSource } from "../../people/accounts/update-source.ts";
import { defaultReplies } from "./audience.ts";
import { authorOf } from "./routes.ts";
import { interactionRule } from "./present-policies.ts";
import { AUDIENCE } from "./schema.ts";
import { openTo, openToFollowers } from "./visibility.ts";

const { interaction_policy: policy } = AUDIENCE;
const DefaultsBody = Type.Object({
  public: policy,
  unlisted: policy,
  private: policy,
  direct: policy,
});

const REPLIERS: Record<ReplyPolicy, string[]> = {
  public: ["public"],
  followers: ["followers", "mentioned"],
  following: ["following", "mentioned"],
  mentioned: ["mentioned"],
  nobody: [],
};

const defaultsEntity = (replies: ReplyPolicy) =>
  Object.fromEntries(
    PRIVACIES.map((visibility) => {
      const isForWorld = openTo("world", { visibility });
      const repliers = REPLIERS[openToFollowers({ visibility }) ? replies : "public"];
      return [
        visibility,
        {
          can_favourite: interactionRule(["public", "author"]),
          can_reply: interactionRule([...repliers, "author"]),
          can_reblog: interactionRule([...(isForWorld ? ["public"] : []), "author"]),
        },
      ];
    }),
  );

export const defaultPolicyRoutes = (server: Server, app: App): void => {
  const path = "/api/v1/interaction_policies/defaults";
  const reading = extension(user("read:accounts"), "statuses", "InteractionPolicies");
  server.get(path, { config: reading }, (request) =>
    defaultsEntity(authorOf(viewerOf(request)).settings.reply_policy ?? "public"),
  );

  const changing = extension(user("write:accounts"), "statuses", "InteractionPolicies", "422");
  server.patch(path, { config: changing, schema: { body: DefaultsBody } }, async (request) => {
    const replies = defaultReplies(request.body);
    await updateSource(app, viewerOf(request).accountId, { reply_policy: replies });
    return defaultsEntity(replies);
  });
};
