/** Small complete cases for the demo and the contract suite. */
export const examples = [
  {
    name: "harta-bersama",
    input: { query: "How is jointly acquired property divided when a Javanese couple divorces?" },
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
