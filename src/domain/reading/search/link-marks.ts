// Marks by which search finds posts that link somewhere: to a page, or to any page of a site.

import { linkHash } from "../../posts/statuses/links.ts";

/** Of a host, more labels are those of who has very many. */
const MAX_LABELS = 5;

/** The host and the domains that it belongs to: who looks for `example.org` means `blog.example.org` too. */
const domainsOf = (host: string): string[] => {
  const labels = host.replace(/\.$/, "").split(".").slice(-MAX_LABELS);
  return labels.slice(0, -1).map((_label, from) => labels.slice(from).join("."));
};

const pageMark = (address: string): string | null => {
  const hash = linkHash(address);
  return hash && `=page:${hash.toString("hex").slice(0, 20)}`;
};

/** Of a host with a dot: others are of no site of the world. */
const hostOf = (address: string): string | null => {
  const host = URL.parse(address)?.hostname ?? "";
  return /^[a-z0-9.-]+\.[a-z0-9-]+\.?$/.test(host) ? host : null;
};

/** Of all links of a post. */
export const linkMarks = (links: string[]): string[] => {
  const marks = links.flatMap((link) => {
    const page = pageMark(link);
    const host = hostOf(link);
    if (page === null) return [];
    return [page, ...(host === null ? [] : domainsOf(host).map((domain) => `=site:${domain}`))];
  });
  return [...new Set(marks)];
};

/** What `link:` is followed by: the address of a page, or a domain. Null for what is neither. */
export const linkMark = (value: string): string | null => {
  if (/^https?:/i.test(value)) return pageMark(value);
  const host = /[/?#@]/.test(value) ? null : hostOf(`https://${value}`);
  return host && `=site:${host.split(".").slice(-MAX_LABELS).join(".")}`;
};
