"""to_ros2_control.py RESULT.json OUT.yaml: friction and rotor inertia of each joint as parameters of a controller."""
import sys

import roberval

#: name in the file: stem of the parameter
TERMS = {"viscous": "Fv", "coulomb": "Fc", "offset": "off", "rotor_inertia": "Ia"}


def text(result, node="friction_compensation"):
    """Parameters of a ros2_control controller, as YAML."""
    found = result.standard or result.parameters
    lines = [f"{node}:", "  ros__parameters:", f"    joints: [{', '.join(result.joint_errors)}]"]
    for number, joint in enumerate(result.joint_errors, 1):
        lines.append(f"    {joint}:")
        for name, stem in TERMS.items():
            for key in (f"{stem}{number}", f"{stem}{number}R"):
                if key in found:
                    lines.append(f"      {name}: {found[key].value!r}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(text(roberval.Result(sys.argv[1])))
