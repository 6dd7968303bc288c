export const examples = [
  {
    name: "a negation in English",
    input: {
      id: "en-1",
      text: "The battery life is not bad at all, but the screen scratches far too easily.",
      language_code: "en",
    },
  },
  {
    name: "a parcel that is mentioned, not praised (Korean)",
    input: { id: "ko-1", text: "택배는 월요일에 왔어요. 포장은 꼼꼼한데 향이 너무 약해요.", language_code: "ko" },
  },
  {
    name: "the stance style",
    input: { id: "en-2", text: "Friendly staff and great coffee, though the chairs are uncomfortable." },
    config: { debate: { style: "stance" } },
  },
];
