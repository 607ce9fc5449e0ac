"""Record joint states and say when the motion is enough: ros2 launch roberval_compensation record.launch.py robot:=arm.urdf"""
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import LaunchConfiguration


def generate_launch_description():
    robot, topic, output = (LaunchConfiguration(name) for name in ("robot", "topic", "output"))
    return LaunchDescription([
        DeclareLaunchArgument("robot", description="URDF, MJCF or YAML of the robot"),
        DeclareLaunchArgument("topic", default_value="/joint_states"),
        DeclareLaunchArgument("output", default_value="recording.mcap"),
        ExecuteProcess(cmd=["roberval", "record", robot, "--topic", topic, "-o", output], output="screen"),
    ])
