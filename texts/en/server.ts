// What the server itself says in English, a file for each area.

import mail from "./mail.json" with { type: "json" };
import titles from "./titles.json" with { type: "json" };

export default { ...mail, ...titles };
