export * from "./client.ts";
export * from "./reviews.ts";
export * from "./routes.ts";
export * from "./runs.ts";
