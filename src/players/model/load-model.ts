import type { LanguageModel } from "./language-model.ts";
import type { Address, Provider } from "./providers.ts";

const models = new WeakMap<Provider, Map<string, Promise<LanguageModel>>>();

/** The model at an address, loaded once per process: thousands of runs ask for the same one. */
export function loadModel(provider: Provider, address: Address): Promise<LanguageModel> {
  const known = models.get(provider) ?? new Map<string, Promise<LanguageModel>>();
  models.set(provider, known);
  const name = JSON.stringify(address);
  const loading = known.get(name) ?? provider.load(address);
  known.set(name, loading);
  loading.catch(() => known.delete(name));
  return loading;
}
