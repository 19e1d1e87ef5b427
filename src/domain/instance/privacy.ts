// The default privacy policy, until an administrator writes another one: what the software really does.

import type { FullConfig } from "../../platform/config/config.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";

/** The day on which the text below last changed. */
export const PRIVACY_CHANGED = "2026-11-22T00:00:00.000Z";

const stored = (domain: string): Html =>
  html`<h2>What we store</h2>
    <p>
      ${domain} stores what you enter: your username, email address, a hash of your password, your
      profile and settings, your posts, and what you do, such as follows, favourites and votes. It
      also stores the IP address that you signed up from, when you were last active, and for each
      browser that is signed in its IP address and name, so that you can see your sessions and end
      them. Sessions end after 90 days without use.
    </p>`;

const visible = (hasTranslation: boolean): Html =>
  html`<h2>Who can see it</h2>
    <p>
      Your profile and your public posts can be seen by everyone. Posts for your followers and posts
      to people you mention are sent to the servers of those people. Those servers are run by others
      and keep their own copies; when you delete a post, they are asked to delete it too. The people
      who run this server can technically read everything on it, so do not send secrets.
    </p>
    ${
      hasTranslation &&
      html`<p>When someone translates a public post, its text is sent to a translation service.</p>`
    }
    <p>
      We do not sell your data or share it with advertisers. Pages of this server load nothing from
      third parties, except images, video and audio that people on other servers have published.
    </p>`;

/** Every cookie of people/pages/cookies.ts. */
const cookies = html`<h2>Cookies</h2>
  <p>
    Reading public pages sets no cookies. The pages for signing in, signing up and your settings use
    cookies that they need to work, and no others:
  </p>
  <ul>
    <li>one that protects forms against forgery, until you close the browser;</li>
    <li>one that keeps you signed in, for up to 90 days or until you sign out;</li>
    <li>
      with two-factor authentication, one between your password and your code, for ten minutes;
    </li>
    <li>
      after signing up, one that signs you in once you confirm your email address, for three days.
    </li>
  </ul>
  <p>No cookie is used to track you, and none is shared with anyone.</p>`;

const deletion = (origin: string): Html =>
  html`<h2>Deleting your data</h2>
    <p>
      You can delete your posts at any time. You can delete your account yourself: sign in at
      <a href="${origin}/settings">${origin}/settings</a>, choose “Delete account” and enter your
      password. Your account disappears at once and everything in it is deleted shortly after: your
      profile, posts, follows, messages, lists, settings and email address. Only the username
      remains reserved, with a key that proves the deletion to other servers, so that nobody can
      impersonate you. Servers that know your account are asked to delete their copies. Backups of
      this server may contain your data for some time longer.
    </p>`;

/** HTML without a first-level heading. */
export const privacyPolicy = ({ site, translation }: FullConfig): Html =>
  html`${stored(site.localDomain)}
  ${visible(Boolean(translation.deepl ?? translation.libreTranslate))} ${cookies}
  ${deletion(site.origin)}`;
