/** The shapes of the API, for the server, the viewer and other clients. */
export * from "./client.ts";
export * from "./reviews.ts";
export * from "./routes.ts";
export * from "./runs.ts";
