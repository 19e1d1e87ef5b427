// /share?title=&text=&url=: where share buttons of other sites, and apps by the manifest, send people who want to post.

import type { FastifyReply } from "fastify";
import { NotFound } from "../../platform/errors.ts";
import { html } from "../../platform/text/html.ts";
import { defaultPrivacy } from "../../domain/accounts/present.ts";
import { loadPerson } from "../../domain/accounts/settings.ts";
import { readTexts } from "../../domain/oauth/parameters.ts";
import { formField } from "../../domain/people/pages/cookies.ts";
import { doneNote, noteOf } from "../../domain/people/pages/member.ts";
import type { Asked } from "../../domain/people/pages/member.ts";
import { goTo } from "../../domain/people/pages/parts.ts";
import { openToEverybody } from "../../domain/statuses/visibility.ts";
import { composeFields, postEntered, readEntered } from "./compose.ts";
import type { Entered } from "./compose.ts";
import { sendInteraction } from "./frame.ts";

export const SHARE = "/share";

const DONE = { posted: "Your post has been published." };

/** Title, text and address, each once. */
const sharedText = ({ title, text, url }: Partial<Record<string, string>>): string =>
  [title, text, url]
    .map((part) => part?.trim() ?? "")
    .filter((part, at, all) => part !== "" && !all.slice(0, at).some((one) => one.includes(part)))
    .join(" ");

const sendForm = (asked: Asked, entered: Entered): Promise<FastifyReply> =>
  sendInteraction(asked, {
    title: "New post",
    status: entered.problem ? 422 : 200,
    body: html`${noteOf(doneNote(asked.request, DONE))}
      <section class="card">
        <h1>New post</h1>
        <form method="post" action="${SHARE}">
          ${formField(asked.app, asked.request, asked.reply)}
          ${composeFields(asked.app, entered, {
            label: "Your post",
            audience: "Who can see your post",
            widest: "public",
            warns: true,
          })}
          <button class="button">Post</button>
        </form>
      </section>`,
  });

/** What is suggested, to be changed before it is posted. */
export const showShare = async (asked: Asked): Promise<FastifyReply> => {
  const person = await loadPerson(asked.app, asked.who.accountId);
  if (!person) throw new NotFound();
  return sendForm(asked, {
    text: sharedText(readTexts(asked.request.query)),
    warning: "",
    visibility: defaultPrivacy(person.account, person.settings),
  });
};

/** Posts, and goes to the post's page where it has one that everybody may see. */
export const takeShare = async (asked: Asked): Promise<FastifyReply> => {
  const { app, request, reply, who } = asked;
  const form = readTexts(request.body);
  const posted = await postEntered(app, who.accountId, form, { widest: "public" });
  if (typeof posted !== "string") return sendForm(asked, posted);
  const isPublic = openToEverybody(readEntered(form, "public"));
  return goTo(reply, isPublic ? `/@${who.username}/${posted}` : `${SHARE}?done=posted`);
};
