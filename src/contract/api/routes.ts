import * as z from "zod";
import { addresses } from "./addresses.ts";
import { fleetRoutes } from "./fleet.ts";
import { packRoutes } from "./pack.ts";
import { reviewRoutes } from "./review.ts";
import { accessRoles, NothingSchema, type Route } from "./route.ts";
import { runRoutes } from "./run-routes.ts";
import { studyRoutes } from "./study.ts";

const SessionSchema = z.strictObject({
  role: z.enum(accessRoles),
  /** The name under which a reviewer answers; null for everyone else. */
  reviewer: z.string().nullable(),
});

const sessionRoutes = {
  openSession: {
    ...addresses.openSession,
    summary: "Trades the token of the Authorization header for a cookie that scripts cannot read.",
    access: "reader",
    body: NothingSchema,
    reply: { json: SessionSchema },
  },
  readSession: {
    ...addresses.readSession,
    summary: "Says what the caller may do.",
    access: "reader",
    reply: { json: SessionSchema },
  },
} as const satisfies Record<string, Route>;

/** Every route of the API, by name. */
export const routes = {
  ...sessionRoutes,
  ...runRoutes,
  ...packRoutes,
  ...studyRoutes,
  ...reviewRoutes,
  ...fleetRoutes,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

type Part<N extends RouteName, P extends "params" | "query" | "body"> =
  (typeof routes)[N] extends Record<P, infer S extends z.ZodType> ? S : never;

/** What a route is given, as a caller writes it. */
export type RouteRequest<N extends RouteName> = ([Part<N, "params">] extends [never]
  ? unknown
  : { params: z.input<Part<N, "params">> }) &
  ([Part<N, "query">] extends [never] ? unknown : { query?: z.input<Part<N, "query">> }) &
  ([Part<N, "body">] extends [never] ? unknown : { body: z.input<Part<N, "body">> });

/** What a route is given, as the server reads it. */
export type RouteGiven<N extends RouteName> = {
  params: [Part<N, "params">] extends [never] ? Record<string, never> : z.output<Part<N, "params">>;
  query: [Part<N, "query">] extends [never] ? Record<string, never> : z.output<Part<N, "query">>;
  body: [Part<N, "body">] extends [never] ? undefined : z.output<Part<N, "body">>;
};

/** The routes that answer with JSON. */
export type JsonRouteName = {
  [N in RouteName]: (typeof routes)[N]["reply"] extends { json: z.ZodType } ? N : never;
}[RouteName];

/** What a route answers. */
export type RouteReply<N extends JsonRouteName> = (typeof routes)[N]["reply"] extends {
  json: infer S extends z.ZodType;
}
  ? z.output<S>
  : never;
