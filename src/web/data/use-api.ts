import { useQuery, type UseQueryOptions } from "@tanstack/react-query";
import type { JsonRouteName, RouteReply, RouteRequest } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";

type Options<N extends JsonRouteName> = Omit<UseQueryOptions<RouteReply<N>>, "queryKey" | "queryFn">;

/** Calls a route; answers are cached by route and request. */
export function useApi<N extends JsonRouteName>(name: N, asked: RouteRequest<N>, options: Options<N> = {}) {
  return useQuery({ queryKey: [name, asked], queryFn: () => callApi(name, asked), ...options });
}
