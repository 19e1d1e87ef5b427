// What people do with people of other servers: of another Rookery, and of other software. All of it happens between the
// same real processes, since starting them costs more than most of these journeys.

import "./federation/circles.ts";
import "./federation/collections.ts";
import "./federation/events.ts";
import "./federation/stranger.ts";
import "./federation/two-people.ts";
// Both servers are killed here.
import "./federation/media.ts";
