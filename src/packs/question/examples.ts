/** Bundled cases: documents written for the purpose, and questions on them. */
const docs = [
  {
    id: "harbour-report.txt",
    text: "The harbour bridge was closed to lorries on 3 March after inspectors found cracks in two of its bearings. The city first blamed the cold winter. A later survey by the engineering office showed that the bearings had been ordered in the wrong steel grade in 2019. The bridge carries about 14,000 vehicles a day. Replacing the bearings will take eleven weeks.",
  },
  {
    id: "council-minutes.txt",
    text: "The council heard the engineering office on the closure of the harbour bridge. The office repeated that the wrong steel grade, and not frost, had caused the cracks in the bearings. Councillor Adeyemi asked who had signed the order. The council voted to publish the order of 2019 and to pay for new bearings from the reserve.",
  },
  {
    id: "letter-to-the-editor.txt",
    text: "Everybody knows that frost broke the bridge. My cellar froze in January as well. The council should salt the bridge and open it again.",
  },
];

export const examples = [
  {
    name: "why the bridge closed",
    input: { question: "What caused the cracks in the bearings of the harbour bridge?", docs },
  },
  {
    name: "how long the repair takes",
    input: {
      question: "How many weeks will replacing the bearings take?",
      answer_type: "number",
      docs: [{ ...docs[0], text: docs[0]?.text.replace("eleven", "11") }],
    },
    config: { protocol: "vote" },
  },
  {
    name: "frost or steel",
    input: {
      question: "What caused the cracks in the bridge's bearings?",
      choices: ["cold winter frost", "wrong steel grade", "lorries"],
      docs,
    },
    config: { protocol: "courtroom" },
  },
];
