// Measures what a first view costs, by the browser's own figures.

import type { Page } from "playwright-core";
import { until } from "./until.ts";

export type FirstView = {
  /** Method and path of each request, the document first, without people's pictures. */
  requests: string[];
  /** People's pictures that the browser requested because they are near enough. */
  pictures: string[];
  /** Paths of the API that were requested before the first post was there. */
  apiFirst: string[];
  /** Bytes that came through the network, headers included. */
  bytes: number;
  shift: number;
  /** Milliseconds by which tasks exceeded 50 ms, until the page is quiet. */
  blockedMs: number;
  firstPaintMs: number;
  /** Milliseconds until the first post was painted. */
  firstPostMs: number;
  heapBytes: number;
  nodes: number;
};

// This runs in the page, whose own clock counts: the first post may be in the document, or be drawn by scripts.
const OBSERVE = `
  window.measured = { shift: 0, blocked: 0, post: null };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.blocked += Math.max(0, entry.duration - 50);
  }).observe({ type: "longtask", buffered: true });
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector("article")) return;
    measured.post = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
`;

const READ = `({
  ...measured,
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  nodes: document.querySelectorAll("*").length,
  early: performance
    .getEntriesByType("resource")
    .filter(({ startTime }) => startTime < measured.post)
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith("/api/")),
})`;

type Read = {
  shift: number;
  blocked: number;
  post: number;
  paint: number;
  nodes: number;
  early: string[];
};

/** Opens an address in an unused page, and waits until no more requests come. */
export const measureFirstView = async (page: Page, url: string): Promise<FirstView> => {
  await page.addInitScript(OBSERVE);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Network.enable");
  await protocol.send("Performance.enable");
  let bytes = 0;
  protocol.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  const requests: string[] = [];
  const pictures: string[] = [];
  page.on("request", (request) => {
    const { pathname, protocol: scheme } = new URL(request.url());
    if (pathname.startsWith("/media/")) pictures.push(pathname);
    else if (scheme.startsWith("http")) requests.push(`${request.method()} ${pathname}`);
  });
  await page.goto(url);
  await until(page, "window.measured?.post != null");
  await page.waitForLoadState("networkidle");
  const { shift, blocked, post, paint, nodes, early } = (await page.evaluate(READ)) as Read;
  await protocol.send("HeapProfiler.collectGarbage");
  const { metrics } = await protocol.send("Performance.getMetrics");
  const heapBytes = metrics.find(({ name }) => name === "JSHeapUsedSize")!.value;
  await protocol.detach();
  return {
    requests,
    pictures,
    apiFirst: early,
    bytes,
    shift,
    blockedMs: blocked,
    firstPaintMs: paint,
    firstPostMs: Math.max(post, paint),
    heapBytes,
    nodes,
  };
};
