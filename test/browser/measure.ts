// What a first view costs, as the browser itself tells it.

import type { Page } from "playwright-core";
import { until } from "./until.ts";

export type FirstView = {
  /** Method and path of each, the document first, without people's pictures. */
  requests: string[];
  /** People's pictures that the browser asked for: those that it thinks are near enough. */
  pictures: string[];
  /** Paths of the API that were asked for before the first post was there. */
  apiFirst: string[];
  /** As they came through the network, heads included. */
  bytes: number;
  shift: number;
  /** Of tasks, what is above 50 ms, until the page is quiet. */
  blockedMs: number;
  firstPaintMs: number;
  /** Painted, not only there. */
  firstPostMs: number;
  heapBytes: number;
  nodes: number;
};

// The page's own clock: the first post may be in the document, or be drawn by scripts.
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

/** Opens an address in a page that has not been used, and waits until nothing more is asked for. */
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
