export const examples = [
  {
    name: "balinese-daughter",
    input: {
      query:
        "A Balinese daughter claims an equal share of her parents' land under the Civil Code, but her brothers say that adat gives it to sons alone. Who is right?",
    },
  },
  {
    name: "hibah-lisan",
    input: {
      query:
        "Orang tua di Bali menghibahkan tanah secara lisan kepada anak bungsunya. Saudara-saudaranya berkata hibah itu batal menurut KUHPerdata karena tanpa akta notaris, sedangkan keluarga berpegang pada adat. Mana yang berlaku?",
    },
  },
  { name: "di-luar-basis", input: { query: "Berapa tarif pajak kendaraan bermotor listrik?" } },
];
