// Keeps the questions of the staff until they are answered, with the form that was sent: whoever goes back from the
// question is shown that again.

import type { App } from "../../platform/app.ts";
import type { PageContext } from "../../domain/people/users/pages/member.ts";
import { readTexts } from "../../domain/people/oauth/parameters.ts";

/** A form as it was sent: its address, and what was entered. */
export type Sent = { action: string; fields: Record<string, string | undefined> };

/** Parameter that names the question from which somebody goes back. */
export const ASKED = "asked";

const KEPT_SECONDS = 3600;

type Asking = { app: App } & Pick<PageContext, "who">;

const keyOf = ({ who }: Asking, id: string): string => `question:${who.accountId}:${id}`;

export const keepQuestion = <Kept extends Sent>(
  staff: Asking,
  id: string,
  question: Kept,
): Promise<unknown> => staff.app.kv.set(keyOf(staff, id), JSON.stringify(question), KEPT_SECONDS);

export const keptQuestion = async <Kept extends Sent>(
  staff: Asking,
  id: string,
): Promise<Kept | null> => {
  const kept = await staff.app.kv.get(keyOf(staff, id));
  return kept === null ? null : (JSON.parse(kept) as Kept);
};

/** Returns what was entered in the form of the page before the question that somebody goes back from. */
export const enteredBefore = async (
  context: PageContext,
): Promise<Pick<PageContext, "refused">> => {
  const { method, query } = context.request;
  const { [ASKED]: id } = method === "GET" ? readTexts(query) : {};
  const sent = id === undefined ? null : await keptQuestion(context, id);
  return sent === null ? {} : { refused: { status: 200, sent } };
};
