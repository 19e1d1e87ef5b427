// The form in which a post is written on these pages: a reply, or what a page elsewhere suggests to share.

import { randomUUID } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { HttpError, NotFound } from "../../platform/errors.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { loadPerson } from "../../domain/accounts/settings.ts";
import { inputField, notice } from "../../domain/people/pages/parts.ts";
import { composeStatus } from "../../domain/statuses/compose.ts";
import { createStatus } from "../../domain/statuses/create.ts";
import { VISIBILITIES } from "../../domain/statuses/tables.ts";
import type { Visibility } from "../../domain/statuses/tables.ts";

/** What is in the form; `problem` says why it was not posted. */
export type Entered = { text: string; warning: string; visibility: Visibility; problem?: string };

type Texts = Partial<Record<string, string>>;

const LABELS: Record<Visibility, string> = {
  public: "Public",
  unlisted: "Quiet public: not in timelines and search",
  private: "Followers only",
  direct: "Only people mentioned",
};

const visibilityField = (label: string, widest: Visibility, chosen: Visibility): Html =>
  html`<div class="field">
    <label for="visibility">${label}</label>
    <select id="visibility" name="visibility">
      ${VISIBILITIES.slice(VISIBILITIES.indexOf(widest)).map(
        (value) =>
          html`<option value="${value}" ${value === chosen && raw("selected")}>
            ${LABELS[value]}
          </option>`,
      )}
    </select>
  </div>`;

export type Form = {
  label: string;
  audience: string;
  /** A reply is for no more people than the post that it answers. */
  widest: Visibility;
  /** There is a field for a content warning. */
  warns: boolean;
};

/** The fields, for `readEntered` and `postEntered`, and above them what is wrong with them. */
export const composeFields = (app: App, entered: Entered, form: Form): Html =>
  html`${entered.problem && notice(entered.problem, "bad")}
    <input type="hidden" name="key" value="${randomUUID()}" />
    ${
      form.warns &&
      inputField({
        name: "spoiler_text",
        label: "Content warning (optional)",
        value: entered.warning,
        optional: true,
      })
    }
    ${inputField({
      name: "status",
      label: form.label,
      type: "textarea",
      value: entered.text,
      hint: `Up to ${app.config.instance.maxCharacters} characters.`,
    })}
    ${visibilityField(form.audience, form.widest, entered.visibility)}`;

export const readEntered = (form: Texts, widest: Visibility): Entered => ({
  text: form["status"] ?? "",
  warning: form["spoiler_text"] ?? "",
  visibility: VISIBILITIES.find((one) => one === form["visibility"]) ?? widest,
});

/**
 * Posts it and returns its id; the same form once more posts nothing new. Or returns what was entered, with
 * the problem that it cannot be posted for.
 */
export const postEntered = async (
  app: App,
  by: string,
  form: Texts,
  { widest, parentId }: { widest: Visibility; parentId?: string },
): Promise<string | Entered> => {
  const author = await loadPerson(app, by);
  if (!author) throw new NotFound();
  const entered = readEntered(form, widest);
  const draft = {
    status: entered.text,
    spoiler_text: entered.warning,
    visibility: entered.visibility,
    ...(parentId !== undefined && { in_reply_to_id: parentId }),
  };
  const key = form["key"]?.slice(0, 100);
  const idempotencyKey = key ? `interaction:${key}` : null;
  try {
    const status = await composeStatus(app, author, draft, { appId: null, idempotencyKey });
    return await createStatus(app, status);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return { ...entered, problem: error.message.replace(/^Validation failed: /, "") };
  }
};
