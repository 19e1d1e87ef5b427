// Flag: another server reports a local account.

import type { App } from "../../../platform/app.ts";
import { domainBlockFor } from "../../../domain/base/blocklists/domains.ts";
import { fileRemoteReport } from "../../../domain/reading/reports/file.ts";
import { httpUrl, idOf, listOf, textOf } from "../../../platform/json/read.ts";
import { activityUri } from "../activity.ts";
import { run } from "../decision.ts";
import type { Parse } from "../decision.ts";

/** Objects of a report that are read: the account, and as many posts as a local report can name. */
const MAX_OBJECTS = 1000;

const mayReport = async (app: App, domain: string): Promise<boolean> => {
  const block = await domainBlockFor(app, domain);
  return !block || (!block.reject_reports && block.severity !== "suspend");
};

export const parseFlag: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const objects = listOf(body["object"], MAX_OBJECTS)
    .map((item) => httpUrl(idOf(item)))
    .filter((uri) => uri !== null && isLocalUri(uri)) as string[];
  if (objects.length === 0) return null;
  const report = {
    accountId: actor.id,
    domain: actor.domain!,
    uri: activityUri(incoming),
    // Lemmy puts the comment into the summary.
    comment: textOf(body["content"]) || textOf(body["summary"]) || "",
    objects,
  };
  const file = async (app: App): Promise<void> => {
    if (await mayReport(app, report.domain)) await fileRemoteReport(app, report);
  };
  return { lookups: {}, judge: () => run(file) };
};
