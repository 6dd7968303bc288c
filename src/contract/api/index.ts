/** The shapes of the API, for the server, the viewer and other clients. */
export * from "./client.ts";
export * from "./error.ts";
export * from "./event.ts";
export * from "./fleet.ts";
export * from "./other-ways.ts";
export * from "./pack.ts";
export * from "./review.ts";
export * from "./route.ts";
export * from "./routes.ts";
export * from "./run.ts";
export * from "./section.ts";
export * from "./study.ts";
