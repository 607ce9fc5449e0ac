import { drawArm } from "./arm.js";

// for tests
window.roberval.arm = drawArm(JSON.parse(document.getElementById("scene").textContent));
