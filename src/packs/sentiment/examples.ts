/** Small complete cases for the demo and the contract suite. */
export const examples = [
  {
    name: "a contrast in Korean",
    input: { id: "ko-1", text: "배송은 정말 빨랐지만 포장이 엉망이라 아쉬웠어요.", language_code: "ko" },
  },
  {
    name: "a negation in English",
    input: {
      id: "en-1",
      text: "The battery life is not bad at all, but the screen scratches far too easily.",
      language_code: "en",
    },
  },
  {
    name: "the stance style",
    input: { id: "en-2", text: "Friendly staff and great coffee, though the chairs are uncomfortable." },
    config: { debate: { style: "stance" } },
  },
];
