// Limits the bytes of activities that are being received, checked and stored: a body takes about ten times its bytes
// until it is stored.

import { perApp } from "../../platform/caches/index.ts";
import { createInFlight } from "../../platform/http/overload.ts";
import type { InFlightLimits } from "../../platform/http/overload.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

export const IN_FLIGHT: InFlightLimits = {
  total: 16 * MIB,
  large: 64 * KIB,
  largeTotal: 8 * MIB,
  perAddress: 4 * MIB,
};

export const inFlightOf = perApp("inbox being received", () => createInFlight(IN_FLIGHT));
