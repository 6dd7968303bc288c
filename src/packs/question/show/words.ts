/** How a form says the names and values of this pack's schemas. */
export const words: Record<string, string> = {
  question: "The question",
  answer_type: "What kind of answer",
  text: "in words",
  choice: "one of several",
  number: "a number",
  choices: "The answers to choose from",
  docs: "Documents",
  answer: "What is the answer?",
  aliases: "Other ways to write it",
  winner: "Which side made the better case? (its number in what the role is told)",
  reasoning: "Why?",
  confidence: "How sure are you, from 0 to 1?",
};
