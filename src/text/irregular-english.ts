/** Forms of English words that no ending tells. */
const forms = `
  bear: bore borne
  beat: beaten
  become: became
  begin: began begun
  bend: bent
  bind: bound
  bite: bit bitten
  blow: blew blown
  break: broke broken
  breed: bred
  bring: brought
  build: built
  burn: burnt
  buy: bought
  catch: caught
  choose: chose chosen
  come: came
  deal: dealt
  dig: dug
  draw: drew drawn
  drink: drank drunk
  drive: drove driven
  eat: ate eaten
  fall: fell fallen
  feed: fed
  feel: felt
  fight: fought
  find: found
  flee: fled
  fly: flew flown
  forbid: forbade forbidden
  forget: forgot forgotten
  freeze: froze frozen
  get: got gotten
  give: gave given
  go: went gone
  grow: grew grown
  hang: hung
  hear: heard
  hide: hid hidden
  hold: held
  keep: kept
  know: knew known
  lay: laid
  lead: led
  learn: learnt
  leave: left
  lend: lent
  lose: lost
  make: made
  mean: meant
  meet: met
  pay: paid
  ride: rode ridden
  ring: rang rung
  rise: rose risen
  run: ran
  say: said
  see: saw seen
  seek: sought
  sell: sold
  send: sent
  shake: shook shaken
  shine: shone
  shoot: shot
  show: shown
  shrink: shrank shrunk
  sing: sang sung
  sink: sank sunk
  sit: sat
  sleep: slept
  speak: spoke spoken
  spend: spent
  stand: stood
  steal: stole stolen
  stick: stuck
  strike: struck
  swear: swore sworn
  sweep: swept
  swim: swam swum
  take: took taken
  teach: taught
  tear: tore torn
  tell: told
  think: thought
  throw: threw thrown
  understand: understood
  wake: woke woken
  wear: wore worn
  win: won
  withdraw: withdrew withdrawn
  write: wrote written
  child: children
  foot: feet
  man: men
  person: people
  tooth: teeth
  woman: women`;

/** The word that each irregular form belongs to: "paid" is of "pay". */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  forms
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [word = "", others = ""] = line.trim().split(": ");
      return others.split(" ").map((form): [string, string] => [form, word]);
    }),
);
