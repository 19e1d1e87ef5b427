// Flag: another server reports somebody here.

import type { App } from "../../platform/app.ts";
import { domainBlockFor } from "../../domain/moderation/domain-blocks.ts";
import { fileRemoteReport } from "../../domain/reports/file.ts";
import { httpUrl, idOf, listOf, textOf } from "../../platform/json/read.ts";
import { isOurs } from "../hosts.ts";
import { activityUri } from "./handler.ts";
import type { Handler } from "./handler.ts";

/** As many as a report of ours could name, and the account. */
const MAX_OBJECTS = 1000;

const mayReport = async (app: App, domain: string): Promise<boolean> => {
  const block = await domainBlockFor(app, domain);
  return !block || (!block.reject_reports && block.severity !== "suspend");
};

export const flagOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const objects = listOf(body["object"], MAX_OBJECTS)
    .map((item) => httpUrl(idOf(item)))
    .filter((uri) => uri !== null && isOurs(app, uri)) as string[];
  if (objects.length === 0 || !(await mayReport(app, actor.domain!))) return;
  await fileRemoteReport(app, {
    accountId: actor.id,
    domain: actor.domain!,
    uri: activityUri(incoming),
    comment: textOf(body["content"]) ?? "",
    objects,
  });
};
