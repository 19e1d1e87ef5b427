// Makes marks by which search finds posts that link to a page, or to any page of a site.

import { linkHash } from "../../posts/statuses/links.ts";

/** Labels of a host that are marked. */
const MAX_LABELS = 5;

/** Returns the host and the domains above: a search for `example.org` includes `blog.example.org`. */
const domainsOf = (host: string): string[] => {
  const labels = host.replace(/\.$/, "").split(".").slice(-MAX_LABELS);
  return labels.slice(0, -1).map((_label, from) => labels.slice(from).join("."));
};

const pageMark = (address: string): string | null => {
  const hash = linkHash(address);
  return hash && `=page:${hash.toString("hex").slice(0, 20)}`;
};

/** Returns the host if it has a dot; others are no public sites. */
const hostOf = (address: string): string | null => {
  const host = URL.parse(address)?.hostname ?? "";
  return /^[a-z0-9.-]+\.[a-z0-9-]+\.?$/.test(host) ? host : null;
};

/** Makes the marks of all links of a post. */
export const linkMarks = (links: string[]): string[] => {
  const marks = links.flatMap((link) => {
    const page = pageMark(link);
    const host = hostOf(link);
    if (page === null) return [];
    return [page, ...(host === null ? [] : domainsOf(host).map((domain) => `=site:${domain}`))];
  });
  return [...new Set(marks)];
};

/** Makes the mark for the value of `link:`, the address of a page or a domain; null for other text. */
export const linkMark = (value: string): string | null => {
  if (/^https?:/i.test(value)) return pageMark(value);
  const host = /[/?#@]/.test(value) ? null : hostOf(`https://${value}`);
  return host && `=site:${host.split(".").slice(-MAX_LABELS).join(".")}`;
};
