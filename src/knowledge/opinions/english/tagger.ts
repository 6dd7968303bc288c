/** The tagger as one module of its own, since it is loaded when English is first read: in the package it is one file, not forty. */
export { default } from "wink-nlp";
