/** What the speakers of the bench debate may quote from, when they are given documents. */
export const documents = [
  {
    id: "traffic-survey.txt",
    text: `The survey counted trips in March and in September. Of the forty thousand people in the town, eleven thousand cross the river on a working day. Two thirds of them drive. The bus carries one in nine, and most of its riders get on in the two northern districts.
People who do not take the bus were asked why. Half said that it comes too seldom, a quarter that it does not go where they work, and one in ten that it costs too much. Those who work late shifts said that the last bus leaves before their shift ends.`,
  },
  {
    id: "tram-study.txt",
    text: `The study puts the tram line at 118 million, of which the state would pay sixty per cent. The line would be nine kilometres long and take five years to build. It would carry seven thousand riders a day after three years if the flats planned along the river are built, and four thousand if they are not.
The depot is drawn on the meadow below the second terrace. The insurer has said that it will not cover buildings there. Running the line would cost 6.2 million a year; the study does not say who pays after the eighth year.`,
  },
  {
    id: "ticket-trial.txt",
    text: `In the trial, four hundred households got a free ticket for a year. They took the bus twice as often as before in the first half of the year and a third more often than before in the second. Half of the added trips had been walked or cycled before. The bus company asks 3.1 million a year for free tickets for everyone, and says that it would need nine more drivers in the morning.`,
  },
];
