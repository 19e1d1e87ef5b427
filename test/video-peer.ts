// A fake server of videos: their documents as PeerTube writes them, and pages that name a player.

import { startPeer } from "./fake-peer.ts";
import type { FakePeer, PeerActor } from "./fake-peer.ts";
import { picture } from "./files.ts";
import type { Person, TestApp } from "./harness.ts";

export type VideoPeer = FakePeer & {
  author: PeerActor;
  /** Publishes a video; returns its address, which is that of its page, too. */
  video(members?: Record<string, unknown>): string;
};

const PLAYER = "<title>Player</title><p>It plays</p>";

export const startVideoPeer = async (): Promise<VideoPeer> => {
  const peer = await startPeer();
  const author = peer.actor("nick");
  const html = (body: string) => ({ headers: { "content-type": "text/html" }, body });
  const still = await picture("jpeg", 850, 480);
  peer.pages.set("/still.jpg", { headers: { "content-type": "image/jpeg" }, body: still });
  let count = 0;
  const video: VideoPeer["video"] = (members = {}) => {
    const path = `/w/${(count += 1)}`;
    const size = { mediaType: "image/jpeg", width: 850, height: 480 };
    const { id } = peer.note(author, `/videos${path}`, {
      type: "Video",
      name: "My video",
      duration: "PT1145S",
      mediaType: "text/markdown",
      content: "Thanks to https://sponsor.example/",
      icon: [{ type: "Image", url: `${peer.origin}/still.jpg`, ...size }],
      url: [{ type: "Link", mediaType: "text/html", href: `${peer.origin}${path}` }],
      ...members,
    });
    const about = `/services/oembed?url=${path}`;
    const link = `<link rel="alternate" type="application/json+oembed" href="${about}">`;
    peer.pages.set(path, html(`<title>My video</title>${link}`));
    const src = `${peer.origin}/videos/embed${path}`;
    const frame = `<iframe width="560" height="315" src="${src}" allowfullscreen></iframe>`;
    const oEmbed = { type: "video", title: "My video", html: frame, width: 560, height: 315 };
    const headers = { "content-type": "application/json" };
    peer.pages.set(about, { headers, body: JSON.stringify(oEmbed) });
    peer.pages.set(`/videos/embed${path}?autoplay=1`, html(PLAYER));
    return String(id);
  };
  return { ...peer, author, video };
};

/** Returns the status at this address, once its page was read: that of a post elsewhere is within a minute. */
export const findPost = async (server: TestApp, by: Person, uri: string): Promise<any> => {
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(uri)}`;
  const { id } = (await by.get(path).ok()).statuses[0];
  await server.runJobs();
  await server.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  await server.runJobs();
  return by.get(`/api/v1/statuses/${id}`).ok();
};
