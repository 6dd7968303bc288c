/** How a form says the names and values of this pack's schemas. */
export const words: Record<string, string> = {
  category: "What kind of cause was it?",
  hardware: "hardware",
  software: "software",
  network: "the network",
  config: "a setting",
  resource: "a resource that ran out",
  none: "there was no fault",
  component: "Which component?",
};
