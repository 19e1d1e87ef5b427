// Recipes of the rows about uploads.

import { formOf, picture } from "../files.ts";
import type { Recipe, Recipes } from "./recipe.ts";

const pictured = async (): Promise<FormData> =>
  formOf(await picture("png"), { description: "a flag", focus: "0.1,-0.2" });

const upload: Recipe = async () => ({ multipart: await pictured() });

const ofUpload: Recipe = async ({ server, me: { token } }) => {
  const multipart = await pictured();
  const { json } = await server.request("POST", "/api/v2/media", { token, multipart });
  return { path: { id: json.id } };
};

export const MEDIA: Recipes = {
  "POST /api/v1/media": upload,
  "POST /api/v2/media": upload,
  "GET /api/v1/media/{id}": ofUpload,
  "PUT /api/v1/media/{id}": async (cast) => ({
    ...(await ofUpload(cast)),
    json: { description: "words", focus: "0,0" },
  }),
  "DELETE /api/v1/media/{id}": ofUpload,
};
