import { expect, it } from "vitest";
import { readerOf } from "../reader.ts";
import type { Polarity } from "../reading/reading.ts";

/** Our own sentences, one per phenomenon: the aspect, what it should read as, and the text. */
const cases: [string, string, Polarity | null, string][] = [
  ["a modifier", "pasta", "positive", "They make a delicious pasta."],
  ["a predicate", "waiter", "negative", "The waiter was rude."],
  ["a list shares its predicate", "soup", "positive", "The bread, the soup and the wine were excellent."],
  ["a modifier runs over the list", "cocktails", "positive", "Great food and cocktails!"],
  ["no verb at all", "service", "negative", "Food fantastic, service slow."],
  ["an object of feeling", "dumplings", "positive", "I really love the dumplings here."],
  ["the cause of a feeling", "battery", "negative", "We were disappointed with the battery."],
  ["a relative clause", "manager", "negative", "The manager, who was rude, left early."],
  ["a reduced relative clause", "dishes", "positive", "The dishes we tried were wonderful."],
  ["a pronoun goes back to its subject", "keyboard", "negative", "I bought the keyboard in May. It is terrible."],
  ["an object pronoun goes back to its noun", "ribs", "positive", "I ordered the ribs and loved them."],
  ["he goes back to the one who serves", "waiter", "negative", "The waiter came over and he was rude."],
  [
    "a bare judgement goes back to the sentence before",
    "ramen",
    "positive",
    "We tried the ramen. Absolutely delicious!",
  ],
  ["not as … as praises the other", "decor", "positive", "The food is not as nice as the decor."],
  ["what is a favorite", "cheesecake", "positive", "My favorite dessert is the cheesecake."],
  ["a told time", "drinks", "negative", "The drinks took 40 minutes."],
  ["negation", "screen", "negative", "The screen is not good."],
  ["contracted negation", "screen", "negative", "The screen isn't very bright."],
  ["negated complaint", "price", "positive", "The price is not bad."],
  ["never disappoints", "steak", "positive", "The steak never disappoints."],
  ["not only is not a negation", "sauce", "positive", "Not only is the sauce delicious, it is cheap."],
  ["never had better", "ramen", "positive", "I have never had better ramen."],
  ["far from", "room", "negative", "The room was far from clean."],
  ["lack of", "parking", "negative", "There is a lack of parking."],
  ["but: the first side", "food", "positive", "The food was great but the service was awful."],
  ["but: the second side", "service", "negative", "The food was great but the service was awful."],
  ["although: the first side", "location", "negative", "Although the location is terrible, the staff is lovely."],
  ["although: the second side", "staff", "positive", "Although the location is terrible, the staff is lovely."],
  ["however", "speakers", "negative", "Nice display. However, the speakers are tinny."],
  ["too", "portions", "negative", "The portions are too small."],
  ["not too loud", "fan", "positive", "The fan is not too loud."],
  ["enough", "processor", "positive", "The processor is fast enough."],
  ["not enough", "seating", "negative", "There is not enough seating."],
  ["should have been", "fish", "negative", "The fish should have been fresh."],
  ["wish", "camera", "negative", "I wish the camera was better."],
  ["a thing that does not do its work", "door", "negative", "The door would not close."],
  ["a small device is praised", "camera", "positive", "It is a small camera that fits anywhere."],
  ["a small portion is blamed", "portion", "negative", "We got a small portion."],
  ["a long wait is blamed", "wait", "negative", "There was a long wait."],
  ["a long battery life is praised", "battery life", "positive", "It has a long battery life."],
  ["cold beer is praised", "beer", "positive", "They serve cold beer."],
  ["cold soup is blamed", "soup", "negative", "My soup was cold."],
  ["a misspelt judgement", "decor", "positive", "The decor is excelent."],
  ["a stretched judgement", "cake", "positive", "The cake was sooo goooood."],
  ["capitals", "app", "negative", "The app is TERRIBLE."],
  ["an idiom of praise", "crust", "positive", "The crust is to die for."],
  ["an idiom of blame", "show", "negative", "The show was a waste of money."],
  ["so-so is neutral", "salad", "neutral", "The salad was so-so."],
  ["average is neutral", "coffee", "neutral", "The coffee is average."],
  ["a mention beside a judged aspect", "bar", null, "We sat at the bar and the pizza was superb."],
  ["a mention in a setting", "lunch", null, "During lunch the waitress was friendly."],
  ["as well is no praise", "fries", null, "I ordered the fries as well."],
  ["hard drive is no complaint", "hard drive", null, "It comes with a hard drive."],
  ["kind of is no praise", "noodles", null, "It is a kind of noodles."],
  ["kind of weakens a complaint", "drive", "negative", "The drive is kind of slow."],
  ["fast food is no praise", "burger", "negative", "This fast food burger was bland."],
];

it.each(cases)("English, %s: %s reads %s", (_phenomenon, aspect, polarity, text) => {
  const start = text.indexOf(aspect);
  const others = ["food", "service", "pizza", "waitress", "location", "staff", "price"].filter(
    (word) => word !== aspect && text.includes(word),
  );
  const spans = [aspect, ...others].map((word) => ({
    start: text.indexOf(word),
    end: text.indexOf(word) + word.length,
  }));
  expect(start).toBeGreaterThanOrEqual(0);
  expect(readerOf("en").scoped(text, spans)[0]?.polarity).toBe(polarity);
});
