// The default privacy policy, until an administrator writes another one: what the software really does.

import type { FullConfig } from "../../platform/config/config.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";

/** The day on which the text below last changed. */
export const PRIVACY_CHANGED = "2026-11-21T00:00:00.000Z";

/** HTML without a first-level heading. */
export const privacyPolicy = ({ site }: FullConfig): Html =>
  html`<h2>What is kept</h2>
    <p>
      ${site.localDomain} keeps what you give it: your name here, e-mail address, a hash of your
      password, your profile, your posts and what you do with the posts of others. It also keeps the
      address that you signed up from, when you were last active, and your sessions with their
      address and browser, so that you can see and end them.
    </p>
    <h2>Who sees it</h2>
    <p>
      Your profile and your public posts are open to everybody. Posts for followers and posts to
      people you name are sent to the servers of those people, which are run by others and keep
      their own copies; deleting a post asks them to delete it too. Those who run this server can
      technically read everything on it: do not send secrets.
    </p>
    <h2>What is not done</h2>
    <p>
      Nothing is sold or given to advertisers, and pages load nothing from third parties except
      pictures that people on other servers have published. A cookie is set only when you sign in,
      and only to keep you signed in.
    </p>
    <h2>Leaving</h2>
    <p>
      You can delete posts at any time, and ask the people who run this server to delete your
      account.
    </p>`;
