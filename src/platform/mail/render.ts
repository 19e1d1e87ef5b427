// Renders a mail: the same content as plain text and as HTML, light and dark as the reader prefers.

import { html, raw } from "../text/html.ts";
import type { Html } from "../text/html.ts";

/** Somebody's words; `name` is a line of plain text. */
export type Quotation = { name: string; text: string };

export type Link = { label: string; url: string };

export type MailContent = {
  /** Language of the mail (BCP 47). */
  language: string;
  /** Name of the server, from which the mail comes. */
  from: string;
  title: string;
  /** Plain text, like everything here that is not a link. */
  paragraphs: string[];
  quotations?: Quotation[];
  button?: Link;
  after?: string[];
  /** Small print below a line. */
  footer?: { text: string; links: Link[] };
};

const quoted = ({ name, text }: Quotation): string =>
  `${name}:\n${text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")}`;

const plain = ({ paragraphs, quotations, button, after, footer }: MailContent): string => {
  const parts = [
    ...paragraphs,
    ...(quotations ?? []).map(quoted),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(after ?? []),
    ...(footer
      ? ["--", footer.text, footer.links.map(({ label, url }) => `${label}: ${url}`).join("\n")]
      : []),
  ];
  return `${parts.join("\n\n")}\n`;
};

// Mail programs that drop the style sheet show the attributes of the elements alone.
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #f4f3f8; color: #211d2e; }
.outer { background: #f4f3f8; }
.card { background: #ffffff; border: 1px solid #dcd8e6; border-radius: 14px; }
.soft, .soft a { color: #655f78 !important; }
.quotation { border-left: 3px solid #dcd8e6; }
.button { background: #5b3fc4; color: #ffffff !important; }
a { color: #5b3fc4; }
@media (prefers-color-scheme: dark) {
  body, .outer { background: #15131c !important; color: #ece9f5 !important; }
  .card { background: #1f1c29 !important; border-color: #373247 !important; color: #ece9f5 !important; }
  .soft, .soft a { color: #a9a2bd !important; }
  .quotation { border-color: #373247 !important; }
  .button { background: #a995ff !important; color: #17122b !important; }
  a { color: #a995ff; }
}`;

const FONT = `font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif`;

/** Keeps line breaks. */
const lines = (text: string): Html[] =>
  text.split("\n").map((line, n) => html`${n > 0 && raw("<br>")}${line}`);

const paragraph = (text: string): Html => html`<p style="margin: 0 0 16px">${lines(text)}</p>`;

const quotation = ({ name, text }: Quotation): Html =>
  html`<div class="quotation" style="margin: 0 0 16px; padding: 2px 0 2px 14px">
    <strong dir="auto">${name}</strong>
    <div dir="auto">${lines(text)}</div>
  </div>`;

const action = ({ label, url }: Link): Html =>
  html`<p style="margin: 8px 0 20px">
    <a
      class="button"
      href="${url}"
      style="display: inline-block; padding: 10px 20px; border-radius: 8px; font-weight: 600; text-decoration: none"
      >${label}</a
    >
  </p>`;

const footerPart = ({ text, links }: NonNullable<MailContent["footer"]>): Html =>
  html`<p class="soft" style="margin: 16px 12px 0; font-size: 13px">
    ${text}<br />
    ${links.map(({ label, url }, n) => html`${n > 0 && raw(" &middot; ")}<a href="${url}">${label}</a>`)}
  </p>`;

const page = (content: MailContent): string => {
  const { language, from, title, paragraphs, quotations, button, after, footer } = content;
  return String(
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          <style>
            ${raw(STYLE)}
          </style>
        </head>
        <body class="outer" style="margin: 0">
          <table
            role="presentation"
            class="outer"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            style="${raw(FONT)}"
          >
            <tr>
              <td align="center" style="padding: 24px 12px">
                <table
                  role="presentation"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  style="max-width: 540px; text-align: start"
                >
                  <tr>
                    <td class="soft" style="padding: 0 12px 12px; font-weight: 700">${from}</td>
                  </tr>
                  <tr>
                    <td class="card" style="padding: 24px; overflow-wrap: anywhere">
                      <h1 dir="auto" style="margin: 0 0 16px; font-size: 22px; line-height: 1.25">
                        ${title}
                      </h1>
                      ${paragraphs.map(paragraph)} ${(quotations ?? []).map(quotation)}
                      ${button && action(button)} ${(after ?? []).map(paragraph)}
                    </td>
                  </tr>
                  <tr>
                    <td>${footer && footerPart(footer)}</td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </body>
      </html> `,
  );
};

/** Returns both parts of a mail. */
export const renderMail = (content: MailContent): { text: string; html: string } => ({
  text: plain(content),
  html: page(content),
});
